import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { ListeningAddress } from "../../src/serving/Listening.ts"
import { listeningUrl } from "../../src/serving/ListeningUrl.ts"

const listeningAt = (hostname: string) => Effect.provideService(ListeningAddress, { hostname, port: 8080 })

describe("The URL of the server", () => {
  it.effect.each<readonly [hostname: string, url: string]>([
    ["127.0.0.1", "http://127.0.0.1:8080"],
    ["chat.example", "http://chat.example:8080"],
    ["::1", "http://[::1]:8080"],
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["::", "http://127.0.0.1:8080"]
  ])(
    "is on loopback if the server listens on all interfaces: %s",
    ([hostname, url]) =>
      Effect.gen(function*() {
        expect(yield* listeningUrl).toBe(url)
      }).pipe(listeningAt(hostname))
  )
})
