import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { posted } from "@community-messaging/domain-contract/world/Scene"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START, still } from "@community-messaging/domain-contract/world/World"
import { Embed } from "@community-messaging/domain/message/Embed"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { type UnknownWebhook, type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect } from "@effect/vitest"
import { Effect, Either, Option, Redacted } from "effect"
import { ACTOR, auditRecords, events } from "../Stored.ts"
import { it } from "../World.ts"
import { CHANNEL, GUILD, made, NOWHERE } from "./Made.ts"

const post = (webhook: Webhook, deliveryId = Option.some("72d3162e")) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    webhooks.post(webhook, {
      deliveryId,
      embed: Either.right(Embed.make({ title: Option.some("Built") })),
      announcement: Option.none()
    }))

const update = (webhook: Webhook, avatar?: Option.Option<Uint8Array>) =>
  Effect.flatMap(
    Webhooks,
    (webhooks) => webhooks.update(webhook, { name: Option.some(WebhookName.make("Mine now")), avatar })
  )

/** Closes the address of a webhook. */
type Close = (id: WebhookId) => Effect.Effect<void, UnknownWebhook | StorageError, Webhooks>

const rotate: Close = (id) => Effect.asVoid(Effect.flatMap(Webhooks, (all) => all.rotateToken(id, ACTOR)))

const remove: Close = (id) => Effect.asVoid(Effect.flatMap(Webhooks, (all) => all.remove(id, ACTOR)))

/** The ways in which an operator closes an address, and the error for the earlier token. */
const closings: ReadonlyArray<readonly [name: string, close: Close, error: string]> = [
  ["its token is replaced", rotate, "WebhookTokenMismatch"],
  ["it is removed", remove, "UnknownWebhook"]
]

describe("a webhook whose address is closed", () => {
  it.each(closings)("is not opened by the earlier token after %s", function*([, close, error]) {
    const webhooks = yield* Webhooks
    const { token, webhook } = yield* made
    yield* close(webhook.id)
    expect((yield* Effect.flip(webhooks.authenticate(webhook.id, token)))._tag).toBe(error)
  })

  it.each(closings)(
    "posts nothing for a request that was authenticated before %s",
    function*([, close, error]) {
      const { webhook } = yield* made
      yield* close(webhook.id)
      expect(yield* failureOf(post(webhook))).toMatchObject({ _tag: error })
      expect(yield* posted(CHANNEL)).toEqual([])
    }
  )

  it.each(closings)(
    "is not changed by a request that was authenticated before %s",
    function*([, close, error]) {
      const { webhook } = yield* made
      yield* close(webhook.id)
      expect(yield* failureOf(update(webhook))).toMatchObject({ _tag: error })
      expect(yield* failureOf(update(webhook, Option.some(still(1))))).toMatchObject({
        _tag: error
      })
    }
  )

  it.each(closings)("is closed only if the audit log can record it: %s", function*([, close]) {
    const webhooks = yield* Webhooks
    const { token, webhook } = yield* made
    expect(yield* failureOf(Faults.whileFailing("audit.append")(close(webhook.id)))).toMatchObject({
      _tag: "StorageError"
    })
    expect(yield* webhooks.authenticate(webhook.id, token)).toEqual(webhook)
  })

  it.each(closings)("must exist before %s", function*([, close]) {
    expect(yield* failureOf(close(NOWHERE))).toMatchObject({ _tag: "UnknownWebhook", webhookId: NOWHERE })
  })
})

describe("replacing the token of a webhook", () => {
  it("returns one that works and changes nothing else, with an audit record and no event", function*() {
    const webhooks = yield* Webhooks
    const { webhook } = yield* made
    const before = yield* events
    const { token, webhook: rotated } = yield* webhooks.rotateToken(webhook.id, ACTOR)
    expect(Redacted.value(token)).toMatch(/^cmw_/)
    expect(rotated).toEqual({ ...webhook, tokenDigest: rotated.tokenDigest })
    expect(yield* webhooks.authenticate(webhook.id, token)).toEqual(rotated)
    expect((yield* auditRecords).slice(1)).toEqual([
      { actor: ACTOR, action: "webhook.rotate_token", targetId: webhook.id, at: START, before: {}, after: {} }
    ])
    expect(yield* events).toEqual(before)
  })
})

describe("removing a webhook", () => {
  it("keeps its messages with its name, and appends an event and an audit record", function*() {
    const webhooks = yield* Webhooks
    const { webhook } = yield* made
    yield* post(webhook)
    const before = yield* events
    expect(yield* webhooks.remove(webhook.id, ACTOR)).toEqual(webhook)
    expect((yield* posted(CHANNEL)).map(({ author }) => author)).toMatchObject([{ _tag: "Webhook", name: "Builds" }])
    expect((yield* events).slice(before.length)).toEqual([
      { _tag: "webhook.deleted", version: 1, webhookId: webhook.id, guildId: GUILD, channelId: CHANNEL }
    ])
    expect((yield* auditRecords).slice(1)).toEqual([{
      actor: ACTOR,
      action: "webhook.delete",
      targetId: webhook.id,
      at: START,
      before: { name: "Builds", channel_id: CHANNEL },
      after: {}
    }])
  })
})
