import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { Duration, Effect, Redacted, TestClock } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onMemory, testServer } from "../TestServer.ts"

const MEBIBYTE = 1024 * 1024

/** The data URI of an avatar of that many bytes, which are not an image. */
const zeros = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString("base64")}`

/** A JSON object of that many bytes. */
const filledTo = (bytes: number) => `{"filler":"${"x".repeat(bytes - 13)}"}`

const webhook = Effect.map(Fixtures.webhook, (made) => {
  const path = `/v1/webhooks/${made.webhook.id}/${Redacted.value(made.token)}`
  return {
    update: (body: unknown) => send(path, { method: "PATCH", body }),
    notify: (body: unknown) => send(`${path}/github`, { body })
  }
})

/** The limits of large bodies of webhooks. In a separate file, because mutation testing excludes large bodies. */
onMemory("Large bodies of webhooks", (it) => {
  it.effect("may not have an avatar of more than 10 MiB, decoded", () =>
    Effect.gen(function*() {
      const { update } = yield* webhook
      expectViolations(yield* update({ avatar: zeros(10 * MEBIBYTE + 1) }), "avatar: IMAGE_TOO_LARGE")
      expectViolations(yield* update({ avatar: zeros(10 * MEBIBYTE) }), "avatar: INVALID_IMAGE_FORMAT")
    }), 30_000)

  it.effect("may not be an update of more than 14 MiB", () =>
    Effect.gen(function*() {
      const { update } = yield* webhook
      expect((yield* update(filledTo(14 * MEBIBYTE))).status).toBe(200)
      expectError(yield* update(filledTo(14 * MEBIBYTE + 1)), 413, "PAYLOAD_TOO_LARGE")
    }), 30_000)

  it.effect("may not be a notification of the code host of more than 25 MiB", () =>
    Effect.gen(function*() {
      const { notify } = yield* webhook
      const sender = { id: 1, login: "octocat" }
      const largest = (bytes: number) => filledTo(bytes).replace("{", `{"sender":${JSON.stringify(sender)},`)
      const added = largest(100).length - 100
      expect((yield* notify(largest(25 * MEBIBYTE - added))).status).toBe(204)
      expectError(yield* notify(largest(25 * MEBIBYTE - added + 1)), 413, "PAYLOAD_TOO_LARGE")
    }), 30_000)
})

const limited = testServer({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } })

layer(limited)("the quota of avatars", (it) => {
  it.effect("counts each started MiB of an avatar, and returns the time to wait", () =>
    Effect.gen(function*() {
      const { update } = yield* webhook
      const statuses = yield* Effect.forEach([9.5, 10, 9.5], (size) =>
        Effect.map(update({ avatar: zeros(size * MEBIBYTE) }), ({ status }) => status))
      expect(statuses).toEqual([400, 400, 400])
      const refused = yield* update({ avatar: zeros(1) })
      expectError(refused, 429, "RATE_LIMITED")
      expect(refused.headers).toMatchObject({ "retry-after": "3600", "x-ratelimit-bucket": "webhook-avatar" })
      yield* TestClock.adjust("1 hour")
      expectViolations(yield* update({ avatar: zeros(1) }), "avatar: INVALID_IMAGE_FORMAT")
    }), 30_000)
})
