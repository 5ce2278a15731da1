import { ImageInspector, ImageInspectorBusy } from "@community-messaging/domain/webhook/ImageInspector"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { Duration, Effect, Layer, TestClock } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { testServer } from "../TestServer.ts"

const webhookUpdate = Effect.map(
  Fixtures.webhook,
  ({ path }) => (body: object) => send(path, { method: "PATCH", body })
)

const limited = testServer({
  rateLimits: RateLimits.layer({ "webhook-avatar": { limit: 4, window: "1 hour" } }),
  options: { requestTimeout: Duration.infinity }
})

layer(limited)("the quota of avatars", (it) => {
  it.effect("counts each started MiB of an avatar, and returns the time to wait", () =>
    Effect.gen(function*() {
      const update = yield* webhookUpdate
      for (const count of [1024 * 1024 + 1, 1024 * 1024, 1]) {
        expectViolations(yield* update({ avatar: Fixtures.noImage(count) }), "avatar: INVALID_IMAGE_FORMAT")
      }
      const refused = yield* update({ avatar: Fixtures.noImage(1) })
      expectError(refused, 429, "RATE_LIMITED")
      expect(refused.headers).toMatchObject({ "retry-after": "3600", "x-ratelimit-bucket": "webhook-avatar" })
      yield* TestClock.adjust("1 hour")
      expectViolations(yield* update({ avatar: Fixtures.noImage(1) }), "avatar: INVALID_IMAGE_FORMAT")
    }))

  it.effect("counts the avatar of an update that is invalid for another reason, because it is inspected", () =>
    Effect.gen(function*() {
      const update = yield* webhookUpdate
      const invalid = update({ name: "", avatar: Fixtures.noImage(1) })
      yield* Effect.replicateEffect(invalid, 4, { discard: true })
      expectError(yield* invalid, 429, "RATE_LIMITED")
    }))

  it.effect("does not count updates without a new avatar", () =>
    Effect.gen(function*() {
      const update = yield* webhookUpdate
      const avatar = `data:image/png;base64,${Fixtures.PNG}`
      expect((yield* update({ avatar })).status).toBe(200)
      for (let sent = 0; sent < 4; sent += 1) {
        expect((yield* update({ name: `Builds ${sent}`, avatar })).json).toMatchObject({ name: `Builds ${sent}` })
        expectViolations(yield* update({ name: "", avatar }), "name: STRING_LENGTH_INVALID")
      }
      for (const change of [{ name: "Builds" }, { avatar: null }, {}, {}, {}]) {
        expect((yield* update(change)).status).toBe(200)
      }
    }))
})

const busy = Layer.succeed(ImageInspector, { inspect: () => new ImageInspectorBusy() })

layer(testServer({ images: busy }), { excludeTestServices: true })("while too many images are inspected", (it) => {
  it.effect.each([{}, { name: "" }])(
    "an update with an avatar must be retried: %j",
    (changes) =>
      Effect.gen(function*() {
        const update = yield* webhookUpdate
        const refused = yield* update({ ...changes, avatar: Fixtures.noImage(1) })
        expectError(refused, 503, "SERVICE_UNAVAILABLE")
        expect(refused.headers).toMatchObject({ "retry-after": "5" })
      })
  )

  it.effect("an update without an avatar succeeds", () =>
    Effect.gen(function*() {
      const update = yield* webhookUpdate
      expect((yield* update({ name: "Deploys" })).status).toBe(200)
    }))
})
