import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { listen, localUrl, url } from "../../src/serving/Listening.ts"

describe("The URL of the server", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:8080"],
    ["chat.example", "http://chat.example:8080"],
    ["::1", "http://[::1]:8080"],
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["::", "http://127.0.0.1:8080"]
  ])("is on loopback if the server listens on all interfaces: %s", (hostname, expected) => {
    expect(localUrl({ hostname, port: 8080 })).toBe(expected)
  })
})

describe("A listening server", () => {
  it.scoped("answers after a connection for which no file descriptor was left", () =>
    Effect.gen(function*() {
      const server = createServer((_, response) => response.end("answered"))
      const address = yield* listen(server, { host: "127.0.0.1", port: 0 }, "for a test")
      server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }))
      const response = yield* Effect.promise(() => fetch(url(address)))
      expect(yield* Effect.promise(() => response.text())).toBe("answered")
    }))
})
