import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { posted } from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START, still } from "@community-messaging/domain-contract/world/World"
import { Embed } from "@community-messaging/domain/message/Embed"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import type { Delivery } from "@community-messaging/domain/webhook/Delivery"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Either, Option } from "effect"
import { events } from "../Stored.ts"
import { it } from "../World.ts"
import { CHANNEL, GUILD, made } from "./Made.ts"

const EMBED = Embed.make({ title: Option.some("Build failed"), color: Option.some(0xff0000) })

const DELIVERY: Delivery = { deliveryId: Option.none(), embed: Either.right(EMBED), announcement: Option.none() }

const webhookId = Effect.map(made, ({ webhook }) => webhook.id)

const found = (id: WebhookId) => Effect.flatten(Effect.flatMap(WebhookRepository, (webhooks) => webhooks.find(id)))

const post = (id: WebhookId, delivery: Partial<Delivery> = {}) =>
  Effect.gen(function*() {
    const webhooks = yield* Webhooks
    return yield* webhooks.post(yield* found(id), { ...DELIVERY, ...delivery })
  })

/** Posts a delivery with this id. */
const deliver = (id: WebhookId, deliveryId: string) => post(id, { deliveryId: Option.some(deliveryId) })

describe("posting by a webhook", () => {
  it("posts a message with one embed in its channel, in its name, without mentions, and appends an event", function*() {
    const id = yield* webhookId
    const message = Either.getOrUndefined(yield* post(id))
    expect(message).toMatchObject({
      channelId: CHANNEL,
      guildId: GUILD,
      author: { _tag: "Webhook", webhookId: id, name: "Builds" },
      createdAt: START
    })
    expect(message?.payload).toMatchObject({ content: Option.some(""), embeds: Option.some([EMBED]), flags: 0 })
    const allowed = Option.getOrUndefined(message?.payload.allowedMentions ?? Option.none())
    expect(allowed?.parse).toEqual(Option.some([]))
    expect([allowed?.users, allowed?.roles, allowed?.repliedUser]).toEqual([
      Option.none(),
      Option.none(),
      Option.none()
    ])
    expect(yield* posted(CHANNEL)).toEqual([message])
    expect((yield* events).slice(1)).toEqual([{ _tag: "message.created", version: 1, message }])
  })

  it.each([Option.none(), Option.some("d1")])(
    "has the name and avatar of the webhook at that time, also if they changed after its authentication (delivery: %s)",
    function*(deliveryId) {
      const id = yield* webhookId
      const webhooks = yield* Webhooks
      yield* webhooks.update(yield* found(id), { name: Option.none(), avatar: Option.some(still(1)) })
      const authenticated = yield* found(id)
      const { avatar } = yield* webhooks.update(authenticated, {
        name: Option.some(WebhookName.make("Deploys")),
        avatar: Option.some(still(2))
      })
      yield* webhooks.post(authenticated, { ...DELIVERY, deliveryId })
      expect((yield* posted(CHANNEL)).map(({ author }) => author)).toEqual([
        { _tag: "Webhook", webhookId: id, name: "Deploys", avatar }
      ])
      // The earlier avatar was removed, because nothing had it any more.
      const stored = yield* Effect.flatMap(AvatarStore, (avatars) => Effect.transposeMapOption(avatar, avatars.find))
      expect(Option.isSome(Option.flatten(stored))).toBe(true)
    }
  )

  it("posts nothing for an event without a message", function*() {
    const id = yield* webhookId
    const before = yield* everything
    expect(yield* post(id, { embed: Either.left("action ignored") })).toEqual(Either.left("action ignored"))
    expect(yield* everything).toEqual(before)
  })

  it("changes nothing when the event log fails, so that the sender's next attempt posts", function*() {
    const id = yield* webhookId
    expect(yield* failureOf(Faults.whileFailing("events.append")(deliver(id, "d1")))).toMatchObject({
      _tag: "StorageError"
    })
    expect(Either.isRight(yield* deliver(id, "d1"))).toBe(true)
  })
})

describe("a repeated delivery", () => {
  it("posts once within 24 hours, up to the last millisecond", function*() {
    const id = yield* webhookId
    const first = yield* deliver(id, "d1")
    const before = yield* everything
    yield* Time.adjust(Duration.subtract(Duration.hours(24), Duration.millis(1)))
    expect(yield* deliver(id, "d1")).toEqual(Either.left("duplicate delivery"))
    expect(Either.isRight(first)).toBe(true)
    expect(yield* everything).toEqual(before)
  })

  it("is new when 24 hours have passed", function*() {
    const id = yield* webhookId
    yield* deliver(id, "d1")
    yield* Time.adjust("24 hours")
    expect(Either.isRight(yield* deliver(id, "d1"))).toBe(true)
  })

  it("is stored for exactly 24 hours", function*() {
    const { forgetDeliveries } = yield* Webhooks
    yield* deliver(yield* webhookId, "d1")
    yield* Time.adjust(Duration.subtract(Duration.hours(24), Duration.millis(1)))
    expect(yield* forgetDeliveries(10)).toBe(0)
    yield* Time.adjust("1 millis")
    expect(yield* forgetDeliveries(10)).toBe(1)
  })

  it("is reported as such, also if it would not be posted anyway", function*() {
    const id = yield* webhookId
    yield* deliver(id, "d1")
    const again = yield* post(id, { deliveryId: Option.some("d1"), embed: Either.left("event ignored") })
    expect(again).toEqual(Either.left("duplicate delivery"))
  })

  it("posts nothing if the first delivery made no message", function*() {
    const id = yield* webhookId
    yield* post(id, { deliveryId: Option.some("d1"), embed: Either.left("event ignored") })
    expect(yield* deliver(id, "d1")).toEqual(Either.left("duplicate delivery"))
  })
})

describe("a change that is announced twice", () => {
  const created = { announcement: Option.some({ id: "create", counterpart: "push" }) }
  const push = { announcement: Option.some({ id: "push", counterpart: "create" }) }

  it.each([["create", created, push], ["push", push, created]] as const)(
    "posts once, whichever notification comes first: %s",
    function*([, first, second]) {
      const id = yield* webhookId
      expect(Either.isRight(yield* post(id, first))).toBe(true)
      expect(yield* post(id, second)).toEqual(Either.left("announced twice"))
      expect(yield* posted(CHANNEL)).toHaveLength(1)
    }
  )

  it("posts again when a minute has passed", function*() {
    const id = yield* webhookId
    yield* post(id, created)
    yield* Time.adjust("1 minute")
    yield* post(id, push)
    expect(yield* posted(CHANNEL)).toHaveLength(2)
  })

  it("is not announced by a notification without a message, or by a repeated delivery", function*() {
    const id = yield* webhookId
    yield* post(id, { ...created, embed: Either.left("event ignored") })
    yield* post(id, { ...push, deliveryId: Option.some("d1") })
    yield* post(id, { ...push, deliveryId: Option.some("d1") })
    expect(yield* post(id, created)).toEqual(Either.left("announced twice"))
    expect(yield* posted(CHANNEL)).toHaveLength(1)
  })
})
