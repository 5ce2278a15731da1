import { ImageInspector, ImageInspectorBusy } from "@community-messaging/domain/webhook/ImageInspector"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted, TestClock } from "effect"
import { expect } from "vitest"
import { expectError } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { testServer } from "../TestServer.ts"

/** A data URI of that many bytes, which are not an image. */
const bytes = (count: number) => `data:image/png;base64,${Buffer.alloc(count).toString("base64")}`

const webhookUpdate = Effect.map(
  Fixtures.webhook,
  ({ token, webhook }) => (body: object) =>
    send(`/v1/webhooks/${webhook.id}/${Redacted.value(token)}`, { method: "PATCH", body })
)

const limited = testServer({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } })

layer(limited)("the quota of avatars", (it) => {
  it.effect("counts the avatar of an update that is invalid for another reason, because it is inspected", () =>
    Effect.gen(function*() {
      const update = yield* webhookUpdate
      const invalid = Effect.zipRight(TestClock.adjust("1 second"), update({ name: "", avatar: bytes(1) }))
      yield* Effect.replicateEffect(invalid, 30, { discard: true })
      expectError(yield* invalid, 429, "RATE_LIMITED")
    }))

  it.effect("does not count updates without a new avatar", () =>
    Effect.gen(function*() {
      const update = yield* webhookUpdate
      const changes = [{ name: "Builds" }, { avatar: null }, {}]
      const responses = yield* Effect.forEach(Array.from({ length: 33 }, (_, index) => index), (index) =>
        Effect.zipRight(TestClock.adjust("1 second"), update(changes[index % 3] ?? {})))
      expect(
        new Set(responses.map(({ status }) =>
          status
        ))
      ).toEqual(new Set([200]))
    }))
})

const busy = Layer.succeed(ImageInspector, { inspect: () => new ImageInspectorBusy() })

layer(testServer({ images: busy }), { excludeTestServices: true })("while too many images are inspected", (it) => {
  it.effect.each([{}, { name: "" }])(
    "an update with an avatar must be retried: %j",
    (changes) =>
      Effect.gen(function*() {
        const update = yield* webhookUpdate
        const refused = yield* update({ ...changes, avatar: bytes(1) })
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
