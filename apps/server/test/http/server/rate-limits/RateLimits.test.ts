import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { expect } from "vitest"
import { expectError } from "../../Expectations.ts"
import * as Fixtures from "../../Fixtures.ts"
import { type HttpRequest, type HttpResponse, send } from "../../HttpClient.ts"
import { testServer } from "../../TestServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const CONSENT = "/v1/oauth2/authorize/consent"
const EMAIL = "/v1/admin/users/change-email"

/** Moves the server's clock to the next second, in which the global limit starts again. */
const nextSecond = TestClock.adjust("1 second")

/** Sends the request that many times, at most fifty within a second. Returns the last response. */
const sendTimes = (times: number, path: string, sent: HttpRequest) =>
  Effect.gen(function*() {
    let response: HttpResponse = yield* send(path, sent)
    for (let sentSoFar = 1; sentSoFar < times; sentSoFar += 1) {
      if (sentSoFar % 50 === 0) yield* nextSecond
      response = yield* send(path, sent)
    }
    return response
  })

const remaining = (response: HttpResponse): string | undefined => response.headers["x-ratelimit-remaining"]

/**
 * The rate limits (API gaps, Rate limits). They are on, as by default, and the server's clock is the test's.
 */
// The test's clock keeps every timer, and without deadlines there are none.
layer(testServer({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } }))(
  "Rate limits",
  (it) => {
    it.effect("refuses requests over the limit, with the time to wait", () =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        expect(remaining(yield* sendTimes(40, LIST, { bot: token }))).toBe("0")
        const refused = yield* send(LIST, { bot: token })
        expectError(refused, 429, "RATE_LIMITED")
        expect(refused.json).toMatchObject({ retry_after: 10 })
        expect(refused.headers).toMatchObject({
          "retry-after": "10",
          "x-ratelimit-limit": "40",
          "x-ratelimit-remaining": "0",
          "x-ratelimit-bucket": "scheduled-messages"
        })
        yield* TestClock.adjust("10 seconds")
        expect((yield* send(LIST, { bot: token })).status).toBe(200)
      }))

    it.effect("counts requests of an account that is scheduled for deletion, although it is refused", () =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        const { token: pending } = yield* Fixtures.botInDeletion
        const first = yield* send(LIST, { bot: pending })
        expectError(first, 403, "ACCOUNT_SCHEDULED_FOR_DELETION")
        expect(first.headers).toMatchObject({ "x-ratelimit-limit": "40", "x-ratelimit-remaining": "39" })
        expectError(yield* sendTimes(40, LIST, { bot: pending }), 429, "RATE_LIMITED")
        expect((yield* send(LIST, { bot: token })).status).toBe(200)
      }))

    it.effect("counts each operation in its bucket, before it checks parameters and body", () =>
      Effect.gen(function*() {
        const { token: bot } = yield* Fixtures.bot
        const { token: admin } = yield* Fixtures.adminKey("*")
        const { path: hook } = yield* Fixtures.webhook
        const requests: ReadonlyArray<readonly [bucket: string, remaining: string, path: string, sent: HttpRequest]> = [
          ["consent", "59", CONSENT, { bot, body: "{" }],
          ["scheduled-messages", "39", `${LIST}?status=x`, { bot }],
          ["member-search", "39", "/v1/guilds/none/members-search", { bot, body: "{" }],
          ["administration", "99", EMAIL, { admin, body: "{" }],
          ["administration", "98", "/v1/admin/users/schedule-deletion", { admin, body: "{" }],
          ["administration", "97", "/v1/admin/audit-log?limit=x", { admin }],
          ["administration", "96", "/v1/admin/events?after=x", { admin }],
          ["webhook-update", "19", hook, { method: "PATCH", body: "{" }],
          ["webhook-notification", "199", `${hook}/github`, { body: "{" }],
          ["webhook-notification", "198", `${hook}/sentry`, { body: "{" }]
        ]
        const responses = yield* Effect.forEach(requests, ([, , path, sent]) => send(path, sent))
        expect(
          responses.map((response) => [response.status, response.headers["x-ratelimit-bucket"], remaining(response)])
        )
          .toEqual(requests.map(([bucket, left]) => [400, bucket, left]))
      }))

    it.effect("counts searches per user and guild", () =>
      Effect.gen(function*() {
        const { guild, token, user } = yield* Fixtures.botWithGuild
        const other = yield* Fixtures.guild(user.id)
        yield* Fixtures.member(other.id, user.id)
        const pathOf = (id: string) => `/v1/guilds/${id}/members-search`
        yield* sendTimes(40, pathOf(guild.id), { bot: token, body: {} })
        expectError(yield* send(pathOf(guild.id), { bot: token, body: {} }), 429, "RATE_LIMITED")
        yield* nextSecond
        expect((yield* send(pathOf(other.id), { bot: token, body: {} })).status).toBe(200)
      }))

    it.effect("counts everything of a principal together, 50 a second", () =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        yield* sendTimes(25, LIST, { bot: token })
        yield* sendTimes(25, CONSENT, { bot: token, body: {} })
        const response = yield* send(CONSENT, { bot: token, body: {} })
        expectError(response, 429, "RATE_LIMITED")
        expect(response.headers).toMatchObject({ "x-ratelimit-bucket": "global", "retry-after": "1" })
      }))

    it.effect("refuses further failures of an address after thirty in a minute", () =>
      Effect.gen(function*() {
        const attempt = { headers: { authorization: "Bot wrong" } }
        expectError(yield* sendTimes(30, LIST, attempt), 401, "UNAUTHORIZED")
        const refused = yield* send(LIST, attempt)
        expectError(refused, 429, "RATE_LIMITED")
        expect(refused.headers).toMatchObject({ "x-ratelimit-bucket": "authentication", "retry-after": "60" })
        expectError(yield* send("/v1/webhooks/1/x", { method: "PATCH", body: {} }), 429, "RATE_LIMITED")
        yield* TestClock.adjust("1 minute")
        expectError(yield* send(LIST, attempt), 401, "UNAUTHORIZED")
        yield* TestClock.adjust("1 minute")
      }))

    it.effect("accepts valid credentials, without regard to others on the same address", () =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        yield* sendTimes(31, LIST, { headers: { authorization: "Bot wrong" } })
        expect((yield* send(LIST, { bot: token })).status).toBe(200)
        yield* TestClock.adjust("1 minute")
      }))

    it.effect("counts failed attempts of every kind together", () =>
      Effect.gen(function*() {
        const { webhook } = yield* Fixtures.webhook
        yield* sendTimes(10, LIST, {})
        yield* sendTimes(10, EMAIL, { headers: { authorization: "Admin wrong" }, body: {} })
        yield* sendTimes(5, `/v1/webhooks/${webhook.id}/wrong`, { method: "PATCH", body: {} })
        yield* sendTimes(3, "/v1/webhooks/1/wrong", { method: "PATCH", body: {} })
        const malformed = yield* sendTimes(2, "/v1/webhooks/x/y", { method: "PATCH", body: {} })
        expect([malformed.status, malformed.headers["x-ratelimit-bucket"], remaining(malformed)])
          .toEqual([400, "authentication", "0"])
        expectError(yield* send(LIST), 429, "RATE_LIMITED")
        yield* TestClock.adjust("1 minute")
      }))

    it.effect("does not limit unknown paths and the document", () =>
      Effect.gen(function*() {
        expect((yield* sendTimes(60, "/v1/openapi.json", {})).status).toBe(200)
      }))
  }
)
