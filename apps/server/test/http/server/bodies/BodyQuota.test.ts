import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../../Expectations.ts"
import * as Fixtures from "../../Fixtures.ts"
import { send } from "../../HttpClient.ts"
import { testServer } from "../../TestServer.ts"

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

const WATCH = {
  action: "started",
  sender: { id: 1, login: "bjork" },
  repository: { id: 7, name: "kiln", full_name: "riverside/kiln" }
}

/** A notification of that many bytes, most of them in an unknown field. */
const notification = (bytes: number) => {
  const text = JSON.stringify(WATCH)
  return `{"unknown":"${"x".repeat(bytes - text.length - 13)}",${text.slice(1)}`
}

const webhook = Effect.map(Fixtures.webhook, ({ path }) => {
  const headers = { "x-github-event": "watch" }
  return {
    notify: (bytes: number) => send(`${path}/github`, { headers, body: notification(bytes) }),
    /** Sends the body in chunks, without its length. */
    notifyInChunks: (bytes: number) => {
      const chunked = { ...headers, "transfer-encoding": "chunked" }
      return send(`${path}/github`, { headers: chunked, body: notification(bytes) })
    },
    update: (body: object) => send(path, { method: "PATCH", body })
  }
})

/** The cost of large bodies (API gaps, Rate limits). The server's clock is the test's. */
layer(testServer({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } }))(
  "The quota of bodies",
  (it) => {
    it.effect("counts each started 256 KiB of a body except the first, and returns the time to wait", () =>
      Effect.gen(function*() {
        const { notify } = yield* webhook
        const statuses = yield* Effect.forEach(
          [25, 25, 14, 0.5, 0.5],
          (size) => Effect.map(notify(size * MEBIBYTE), ({ status }) => status)
        )
        expect(statuses).toEqual([204, 204, 204, 204, 204])
        const refused = yield* notify(512 * KIBIBYTE + 1)
        expectError(refused, 429, "RATE_LIMITED")
        expect(refused.headers).toMatchObject({
          "retry-after": "60",
          "x-ratelimit-bucket": "body",
          "x-ratelimit-limit": "256",
          "x-ratelimit-remaining": "1"
        })
        expect((yield* notify(256 * KIBIBYTE)).status).toBe(204)
        yield* TestClock.adjust("1 minute")
        expect((yield* notify(25 * MEBIBYTE)).status).toBe(204)
      }))

    it.effect("counts a body without a declared length as it arrives", () =>
      Effect.gen(function*() {
        const { notify, notifyInChunks } = yield* webhook
        expect((yield* notifyInChunks(25 * MEBIBYTE)).status).toBe(204)
        expect((yield* notify(25 * MEBIBYTE)).status).toBe(204)
        const refused = yield* notifyInChunks(25 * MEBIBYTE)
        expectError(refused, 429, "RATE_LIMITED")
        expect(refused.headers).toMatchObject({ "x-ratelimit-bucket": "body", "x-ratelimit-remaining": "0" })
        expect((yield* notifyInChunks(256 * KIBIBYTE)).status).toBe(204)
      }))

    it.effect("allows the largest avatar besides other updates", () =>
      Effect.gen(function*() {
        const { update } = yield* webhook
        yield* Effect.replicateEffect(update({}), 19, { discard: true })
        const refused = yield* update({ avatar: Fixtures.noImage(10 * MEBIBYTE) })
        expectViolations(refused, "avatar: INVALID_IMAGE_FORMAT")
      }))
  }
)
