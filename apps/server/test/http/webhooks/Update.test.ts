import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Effect, Option, Redacted } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onEachStorage } from "../TestServer.ts"

/** A picture of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

const dataUri = (base64: string, label = "image/png") => `data:${label};base64,${base64}`

const stored = (webhook: Webhook) =>
  Effect.gen(function*() {
    const webhooks = yield* WebhookRepository
    return Option.getOrThrow(yield* Effect.orDie(webhooks.find(webhook.id)))
  })

const eventsOf = (webhook: Webhook) =>
  Effect.gen(function*() {
    const events = yield* Effect.orDie(EventStream.read(0, 100_000))
    return events.filter(({ event }) => event._tag === "webhook.updated" && event.webhookId === webhook.id).length
  })

const updated = Effect.map(Fixtures.webhook, ({ token, webhook }) => ({
  webhook,
  token,
  update: (body: unknown) => send(`/v1/webhooks/${webhook.id}/${Redacted.value(token)}`, { method: "PATCH", body })
}))

onEachStorage("PATCH /v1/webhooks/{webhook_id}/{token}", (it) => {
  it.effect("gives the webhook a name with U+FFFD for a lone surrogate", () =>
    Effect.gen(function*() {
      const { update, webhook } = yield* updated
      expect(yield* update(String.raw`{"name":"a\ud800b"}`)).toMatchObject({ status: 200, json: { name: "a\ufffdb" } })
      expect((yield* stored(webhook)).name).toBe("a\ufffdb")
    }))

  it.effect("gives the webhook another name, without white space around it and control characters", () =>
    Effect.gen(function*() {
      const { token, update, webhook } = yield* updated
      expect((yield* update({ name: " Dep\u0000loys\n" })).json).toEqual({
        id: webhook.id,
        guild_id: webhook.guildId,
        channel_id: webhook.channelId,
        name: "Deploys",
        token: Redacted.value(token),
        avatar: null
      })
      expect((yield* stored(webhook)).name).toBe("Deploys")
    }))

  it.effect.each(["", "🦊".repeat(81)])(
    "refuses the name %j",
    (name) =>
      Effect.gen(function*() {
        const { update } = yield* updated
        expectViolations(yield* update({ name }), "name: STRING_LENGTH_INVALID")
      })
  )

  it.effect.each([null, 5, ["x"]])("refuses a name that is not a text: %j", (name) =>
    Effect.gen(function*() {
      const { update } = yield* updated
      expectViolations(yield* update({ name }), "name: INVALID_FORMAT")
    }))

  it.effect("gives the webhook an avatar by the hash of its bytes, and stores the bytes", () =>
    Effect.gen(function*() {
      const { update, webhook } = yield* updated
      const { sha256Hex } = yield* Digest
      const bytes = Buffer.from(PNG, "base64")
      const hash = sha256Hex(bytes).slice(0, 32)
      expect((yield* update({ avatar: dataUri(PNG) })).json).toMatchObject({ name: "Builds", avatar: hash })
      expect((yield* stored(webhook)).avatar).toEqual(Option.some(hash))
      const avatars = yield* AvatarStore
      const avatar = Option.getOrThrow(yield* Effect.orDie(avatars.find(AvatarHash.make(hash))))
      expect(Buffer.from(avatar.bytes).equals(bytes)).toBe(true)
      expect(avatar.contentType).toBe("image/png")
    }))

  it.effect.each(["image/gif", "text/plain", "", "image/png;name=a"])(
    "uses the content of an image and not its media type: %j",
    (label) =>
      Effect.gen(function*() {
        const { update } = yield* updated
        expect((yield* update({ avatar: dataUri(PNG, label) })).status).toBe(200)
      })
  )

  it.effect("removes the avatar by null", () =>
    Effect.gen(function*() {
      const { update, webhook } = yield* updated
      yield* update({ avatar: dataUri(PNG) })
      expect((yield* update({ avatar: null })).json).toMatchObject({ avatar: null })
      expect((yield* stored(webhook)).avatar).toEqual(Option.none())
    }))

  it.effect("changes nothing by an empty object, and appends no event", () =>
    Effect.gen(function*() {
      const { update, webhook } = yield* updated
      yield* update({ avatar: dataUri(PNG) })
      const before = { webhook: yield* stored(webhook), events: yield* eventsOf(webhook) }
      expect((yield* update({})).status).toBe(200)
      expect({ webhook: yield* stored(webhook), events: yield* eventsOf(webhook) }).toEqual(before)
    }))

  it.effect.each([
    "",
    dataUri(PNG.slice(0, -1)),
    dataUri(PNG.replace("C", "_")),
    dataUri(PNG.replace("C", "\n")),
    // Its code unit is that of a letter plus 256.
    dataUri(PNG.replace("A", "\u0141")),
    dataUri(Buffer.from("plain text, whatever it says").toString("base64")),
    dataUri(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64"), "image/svg+xml")
  ])("refuses an avatar that is not an image: %s", (avatar) =>
    Effect.gen(function*() {
      const { update } = yield* updated
      expectViolations(yield* update({ avatar }), "avatar: INVALID_IMAGE_FORMAT")
    }))

  it.effect("refuses an avatar of another type", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      expectViolations(yield* update({ avatar: 5 }), "avatar: INVALID_FORMAT")
    }))

  it.effect("refuses a name of more than 1024 characters of any kind", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      expect((yield* update({ name: `${" ".repeat(1_023)}a` })).status).toBe(200)
      expectViolations(yield* update({ name: `${" ".repeat(1_024)}a` }), "name: STRING_LENGTH_INVALID")
    }))

  it.effect("accepts an avatar with escapes in its text", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      const escaped = JSON.stringify({ avatar: dataUri(PNG) }).replaceAll("/", "\\/")
      expect((yield* update(escaped)).status).toBe(200)
    }))

  it.effect("reports all violations at once, including that of the image's content", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      const noImage = dataUri(Buffer.from("no image").toString("base64"))
      expectViolations(
        yield* update({ name: "", avatar: noImage }),
        "name: STRING_LENGTH_INVALID",
        "avatar: INVALID_IMAGE_FORMAT"
      )
      expectViolations(
        yield* update({ name: 5, avatar: "nonsense" }),
        "name: INVALID_FORMAT",
        "avatar: INVALID_IMAGE_FORMAT"
      )
      expectViolations(yield* update({ name: "", avatar: dataUri(PNG) }), "name: STRING_LENGTH_INVALID")
    }))

  it.effect("refuses a token that is not the webhook's, before it reads the body", () =>
    Effect.gen(function*() {
      const { webhook } = yield* Fixtures.webhook
      const { token } = yield* Fixtures.webhook
      const response = yield* send(`/v1/webhooks/${webhook.id}/${Redacted.value(token)}`, {
        method: "PATCH",
        body: "{"
      })
      expectError(response, 403, "ACCESS_DENIED")
      expect((yield* stored(webhook)).name).toBe("Builds")
    }))

  it.effect("refuses an unknown webhook", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.webhook
      const response = yield* send(`/v1/webhooks/1/${Redacted.value(token)}`, { method: "PATCH", body: {} })
      expectError(response, 404, "UNKNOWN_WEBHOOK")
    }))
})
