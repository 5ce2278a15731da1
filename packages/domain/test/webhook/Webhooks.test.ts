import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START, still } from "@community-messaging/domain-contract/world/World"
import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as AvatarRules from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { ACTOR, auditRecords, events } from "../Stored.ts"
import { it } from "../World.ts"
import { CHANNEL, create, GUILD, made, place } from "./Made.ts"

const stored = (id: WebhookId) => Effect.flatten(Effect.flatMap(WebhookRepository, (webhooks) => webhooks.find(id)))

const authenticate = (id: WebhookId, token: Redacted.Redacted) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.authenticate(id, token))

const update = (id: WebhookId, changes: { readonly name?: string; readonly avatar?: Uint8Array | null }) =>
  Effect.gen(function*() {
    const webhooks = yield* Webhooks
    return yield* webhooks.update(yield* stored(id), {
      name: Option.map(Option.fromNullable(changes.name), (name) => WebhookName.make(name)),
      avatar: changes.avatar === undefined ? undefined : Option.fromNullable(changes.avatar)
    })
  })

const replaceAvatar = (bytes: Uint8Array) => ({ avatar: bytes })

const hashOf = (bytes: Uint8Array) =>
  Effect.map(Digest, ({ sha256Hex }) => AvatarRules.AvatarHash.make(sha256Hex(bytes).slice(0, 32)))

const storedAvatar = (hash: AvatarRules.AvatarHash) => Effect.flatMap(AvatarStore, (avatars) => avatars.find(hash))

describe("making a webhook", () => {
  it("stores it for its channel, with the digest of its token only, an event and an audit record", function*() {
    const { token, webhook } = yield* made
    const { sha256Hex } = yield* Digest
    const about = { guildId: GUILD, channelId: CHANNEL, name: "Builds", avatar: Option.none() }
    expect(Redacted.value(token)).toMatch(/^cmw_/)
    expect(webhook).toEqual({ ...about, id: webhook.id, tokenDigest: sha256Hex(Redacted.value(token)) })
    expect(yield* stored(webhook.id)).toEqual(webhook)
    expect(yield* events).toEqual([{ ...about, _tag: "webhook.updated", version: 1, webhookId: webhook.id }])
    expect(yield* auditRecords).toEqual([{
      actor: ACTOR,
      action: "webhook.create",
      targetId: webhook.id,
      at: START,
      before: {},
      after: { name: "Builds", channel_id: CHANNEL }
    }])
  })

  it("needs a channel that exists", function*() {
    expect(yield* Effect.flip(create)).toMatchObject({ _tag: "UnknownChannel", channelId: CHANNEL })
  })

  it("changes nothing when the audit log fails", function*() {
    yield* place
    expect(yield* failureOf(Faults.whileFailing("audit.append")(create))).toMatchObject({ _tag: "StorageError" })
  })
})

describe("the token of a webhook", () => {
  it("is not accepted by another webhook", function*() {
    const { token } = yield* made
    const { webhook } = yield* create
    expect(yield* Effect.flip(authenticate(webhook.id, token))).toMatchObject({
      _tag: "WebhookTokenMismatch",
      webhookId: webhook.id
    })
  })

  it("is not a malformed token", function*() {
    const { webhook } = yield* made
    const malformed = Redacted.make("cmw_")
    expect(yield* Effect.flip(authenticate(webhook.id, malformed))).toMatchObject({ _tag: "WebhookTokenMismatch" })
  })
})

describe("updating a webhook", () => {
  it("changes its name and nothing else, with one event", function*() {
    const { webhook } = yield* made
    const after = yield* update(webhook.id, { name: "Deploys" })
    expect(after).toEqual({ ...webhook, name: "Deploys" })
    expect(yield* stored(webhook.id)).toEqual(after)
    expect((yield* events).slice(1)).toMatchObject([{
      _tag: "webhook.updated",
      webhookId: webhook.id,
      name: "Deploys"
    }])
  })

  it("stores a still avatar with the hash of its bytes", function*() {
    const { webhook } = yield* made
    const hash = yield* hashOf(still(1))
    expect(yield* update(webhook.id, replaceAvatar(still(1)))).toEqual({ ...webhook, avatar: Option.some(hash) })
    expect(yield* storedAvatar(hash)).toEqual(
      Option.some({ hash, contentType: "image/png", animated: false, bytes: still(1) })
    )
  })

  it("is not necessary for bytes that are its avatar, also of an animation", function*() {
    const { hasAvatar } = yield* Webhooks
    const { webhook } = yield* made
    const hash = yield* hashOf(still(1))
    const has = (avatar: Option.Option<AvatarRules.AvatarHash>, bytes = still(1)) =>
      hasAvatar({ ...webhook, avatar }, bytes)
    expect([has(Option.some(hash)), has(Option.some(AvatarRules.AvatarHash.make(`a_${hash}`)))]).toEqual([true, true])
    expect([has(Option.some(hash), still(2)), has(Option.none())]).toEqual([false, false])
  })

  it("does not inspect an avatar again that the webhook has", function*() {
    const { webhook } = yield* made
    const noImage = Uint8Array.of(9)
    const sha256Hex = (yield* Digest).sha256Hex(noImage)
    const avatar = Option.some(AvatarRules.hash(sha256Hex, { contentType: "image/png", animated: false }))
    yield* Effect.flatMap(WebhookRepository, (webhooks) => webhooks.save({ ...webhook, avatar }))
    expect(yield* update(webhook.id, { name: "Deploys", ...replaceAvatar(noImage) })).toMatchObject({
      name: "Deploys",
      avatar
    })
  })

  it("sets the avatar that the webhook had at its authentication, if another update replaced it since", function*() {
    const { webhook } = yield* made
    const webhooks = yield* Webhooks
    const authenticated = yield* update(webhook.id, replaceAvatar(still(1)))
    yield* update(webhook.id, replaceAvatar(still(2)))
    const avatar = Option.some(still(1))
    const hash = yield* hashOf(still(1))
    expect(yield* webhooks.update(authenticated, { name: Option.none(), avatar })).toEqual(authenticated)
    expect(Option.isSome(yield* storedAvatar(hash))).toBe(true)
  })

  it("removes its avatar", function*() {
    const { webhook } = yield* made
    yield* update(webhook.id, replaceAvatar(still(1)))
    expect(yield* update(webhook.id, { avatar: null })).toEqual(webhook)
  })

  it.each(
    [
      ["nothing is given", {}],
      ["name and avatar are what it has", { name: "Builds", ...replaceAvatar(still(1)) }]
    ] as const
  )("changes nothing and appends no event if %s", function*([, changes]) {
    const { webhook } = yield* made
    const current = yield* update(webhook.id, replaceAvatar(still(1)))
    const before = yield* everything
    expect(yield* update(webhook.id, changes)).toEqual(current)
    expect(yield* everything).toEqual(before)
  })

  it("fails for bytes that are not an image, and keeps the name", function*() {
    const { webhook } = yield* made
    const refused = update(webhook.id, { name: "Deploys", ...replaceAvatar(Uint8Array.of(0)) })
    expect(yield* failureOf(refused)).toMatchObject({ _tag: "InvalidAvatarImage" })
  })

  it("accepts an avatar of 10 MiB and rejects one with a byte more", function*() {
    const { webhook } = yield* made
    const largest = new Uint8Array(10_485_760).fill(1)
    const tooLarge = new Uint8Array(10_485_761).fill(1)
    expect(Option.isSome((yield* update(webhook.id, replaceAvatar(largest))).avatar)).toBe(true)
    expect(yield* failureOf(update(webhook.id, replaceAvatar(tooLarge)))).toMatchObject({ _tag: "InvalidAvatarImage" })
  })

  it("changes nothing when the event log fails, and stores no avatar", function*() {
    const { webhook } = yield* made
    const failed = Faults.whileFailing("events.append")(
      update(webhook.id, { name: "Deploys", ...replaceAvatar(still(1)) })
    )
    expect(yield* failureOf(failed)).toMatchObject({ _tag: "StorageError" })
  })
})
