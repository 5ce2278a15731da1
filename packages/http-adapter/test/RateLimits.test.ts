import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import { send } from "@community-messaging/http-laws/Exchange"
import { expectError } from "@community-messaging/http-laws/Expect"
import { rateLimitLaws } from "@community-messaging/http-laws/RateLimitLaws"
import { layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { describe } from "vitest"
import { served } from "./Served.ts"

// The test's clock keeps every timer that was ever set: without deadlines there are none.
describe("Counted in the process", () => {
  rateLimitLaws(served({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } }))
})

layer(served({ rateLimits: RateLimits.layer(), options: { trustedProxies: 1 } }), { excludeTestServices: true })(
  "Failed attempts through a trusted proxy",
  (it) => {
    const attemptFrom = (forwarded: string) =>
      send("/v1/users/@me/scheduled-messages", { headers: { "x-forwarded-for": forwarded } })

    it.effect("are counted by the address that the proxy saw, whatever the client claims before it", () =>
      Effect.gen(function*() {
        yield* Effect.all(Array.from({ length: 30 }, (_, index) => attemptFrom(`10.0.0.${index}, 192.0.2.1`)))
        expectError(yield* attemptFrom("192.0.2.1"), 429, "RATE_LIMITED")
        expectError(yield* attemptFrom("192.0.2.1, 192.0.2.2"), 401, "UNAUTHORIZED")
      }))
  }
)
