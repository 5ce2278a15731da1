import { weightFor } from "@community-messaging/http-adapter/pages/Preference"
import { describe, expect, it } from "vitest"

describe("The client's preference", () => {
  it.each(
    [
      ["text/html", "text/html", 1],
      ["text/html;q=0.5", "text/html", 0.5],
      ["text/html ; Q=0.25", "text/html", 0.25],
      ["TEXT/HTML", "text/html", 1],
      ["text/*;q=0.3, */*;q=0.1", "text/html", 0.3],
      ["*/*;q=0.1", "text/html", 0.1],
      ["*/*, text/html;q=0", "text/html", 0],
      ["text/html;level=1;q=0.4", "text/html", 0.4],
      ["application/xhtml+xml,text/html;q=0.9", "text/html", 0.9],
      ["gzip;q=0", "gzip", 0],
      ["br, *", "gzip", 1],
      ["text/html;q=2", "text/html", 1],
      ["text/html; q = 0.5 ", "text/html", 0.5],
      ["text/html;q=0.5x", "text/html", 1],
      ["text/html;xq=0.5", "text/html", 1],
      ["application/json", "text/html", 0],
      [" ,text/html;q=0.5", "text/html", 0.5],
      ["", "text/html", 0],
      [undefined, "text/html", 0],
      [",;,", "text/html", 0]
    ] as const
  )("of %j for %s is %s", (header, offered, weight) => {
    expect(weightFor(header, offered)).toBe(weight)
  })
})
