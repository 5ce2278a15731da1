import { describe, expect, it } from "vitest"
import { localUrl } from "../../src/serving/Listening.ts"

describe("The URL of the server", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:8080"],
    ["chat.example", "http://chat.example:8080"],
    ["::1", "http://[::1]:8080"],
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["::", "http://127.0.0.1:8080"]
  ])("is on loopback if the server listens on all interfaces: %s", (hostname, url) => {
    expect(localUrl({ hostname, port: 8080 })).toBe(url)
  })
})
