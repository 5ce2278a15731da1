import { listeningUrl, PublicUrl, publicUrl } from "@community-messaging/http-adapter/PublicUrl"
import { HttpServer } from "@effect/platform"
import { it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { describe, expect } from "vitest"

const listeningAt = (address: HttpServer.Address) =>
  Effect.provideService(HttpServer.HttpServer, HttpServer.make({ address, serve: () => Effect.void }))

const tcp = (hostname: string) => listeningAt({ _tag: "TcpAddress", hostname, port: 8080 })

describe("The address of the service", () => {
  it.effect.each<readonly [hostname: string, url: string]>([
    ["127.0.0.1", "http://127.0.0.1:8080"],
    ["chat.example", "http://chat.example:8080"],
    ["::1", "http://[::1]:8080"],
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["::", "http://127.0.0.1:8080"]
  ])(
    "is where the server listens, on this machine where that is everywhere: %s",
    ([hostname, url]) =>
      Effect.gen(function*() {
        expect(yield* publicUrl).toBe(url)
      }).pipe(tcp(hostname))
  )

  it.effect("is the path of a Unix socket", () =>
    Effect.gen(function*() {
      expect(yield* publicUrl).toBe("unix:/run/chat.sock")
    }).pipe(listeningAt({ _tag: "UnixAddress", path: "/run/chat.sock" })))

  it.effect("is the one that an operator sets, wherever the server listens", () =>
    Effect.gen(function*() {
      expect(yield* publicUrl).toBe("https://chat.example/api")
      expect(yield* listeningUrl).toBe("http://127.0.0.1:8080")
    }).pipe(Effect.provideService(PublicUrl, Option.some("https://chat.example/api")), tcp("127.0.0.1")))
})
