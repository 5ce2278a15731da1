import type { Attempt } from "@community-messaging/client/Attempt"
import type { Client } from "@community-messaging/client/Client"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../http/Fixtures.ts"
import { onMemory, TestServer, testServer } from "../http/TestServer.ts"
import { apiErrorOf, clientWith } from "./ConnectedClient.ts"

onMemory("A client in JavaScript recognises the errors of the API", (it) => {
  it.effect("INVALID_FORM_BODY, with all violations, and NOT_FOUND, if the base URL is wrong", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const client = yield* clientWith({ bot: token })
      const body = { limit: 1000, query: "a".repeat(101) }
      const error = yield* apiErrorOf(() => client.guildMembers.search({ path: { guild_id: guild.id }, body }))
      expect(error.code).toBe("INVALID_FORM_BODY")
      expect(error.violations.map(({ code, path }) => `${path} ${code}`).sort()).toEqual([
        "limit NUMBER_OUT_OF_RANGE",
        "query STRING_LENGTH_INVALID"
      ])
      const { origin } = yield* TestServer
      const lost = yield* clientWith({ bot: token }, { baseUrl: `${origin}/chat` })
      expect(yield* apiErrorOf(() => lost.scheduledMessages.list())).toMatchObject({ code: "NOT_FOUND", status: 404 })
    }))
})

/** Calls until the call rejects. */
const untilRefused = (call: () => ReturnType<Client["scheduledMessages"]["list"]>) =>
  apiErrorOf(async () => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- One call after another.
      await call()
    }
  })

layer(testServer({ rateLimits: RateLimits.layer({ "scheduled-messages": { limit: 3, window: "1 hour" } }) }), {
  excludeTestServices: true
})("A client in JavaScript over a rate limit", (it) => {
  it.effect("gets the time to wait, and before that the remaining quota", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const attempts: Array<Attempt> = []
      const client = yield* clientWith({ bot: token }, { retries: 2, onAttempt: (attempt) => attempts.push(attempt) })
      const error = yield* untilRefused(() => client.scheduledMessages.list())
      expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429 })
      // The wait is longer than `maxRetryDelay`, so it is not repeated.
      expect(error.retryAfter).toBeGreaterThan(30)
      expect(attempts.map(({ rateLimit, status }) => [status, rateLimit?.remaining])).toEqual([
        [200, 2],
        [200, 1],
        [200, 0],
        [429, 0]
      ])
    }))
})
