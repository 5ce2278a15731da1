import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Announcement } from "@community-messaging/domain/webhook/Announcement"
import { type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, DateTime, Effect, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import * as Samples from "./Samples.ts"
import { NOON, noonPlus } from "./Samples.ts"
import * as Saved from "./Saved.ts"

const DAY_MILLIS = 86_400_000

/** Records the delivery at this time. It is remembered for a day. */
const record = (webhook: Webhook, deliveryId: string, receivedAt = NOON) =>
  Effect.flatMap(WebhookRepository, (webhooks) =>
    webhooks.recordDelivery({
      webhook,
      deliveryId,
      receivedAt,
      seenSince: DateTime.subtract(receivedAt, { hours: 24 })
    }))

/** Records the delivery, and returns whether it is the first. */
const note = (...delivery: Parameters<typeof record>) => Effect.map(record(...delivery), Option.isSome)

const CREATE = { id: "own event\ncreated", counterpart: "push\ncreated" }
const PUSH = { id: CREATE.counterpart, counterpart: CREATE.id }

/** Records the announcement of the change at this time. It is remembered for a minute. */
const announce = (webhookId: WebhookId, announcement: Announcement, announcedAt = NOON) =>
  Effect.flatMap(WebhookRepository, (webhooks) =>
    webhooks.recordAnnouncement({
      webhookId,
      announcement,
      announcedAt,
      announcedSince: DateTime.subtract(announcedAt, { minutes: 1 })
    }))

/** The contract of `WebhookRepository`. */
export const webhookRepositoryContract = portContract<WebhookRepository>("WebhookRepository", ({ it }) => {
  it("webhooks are listed in the order of their ids by number, page by page", function*() {
    const webhooks = yield* WebhookRepository
    yield* Effect.forEach(SHUFFLED, (id) => Saved.webhook({ id: WebhookId.make(id) }))
    expect(yield* pages({ page: webhooks.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
  })

  it("a channel's webhooks are in the order of their ids by number, page by page, without those of another", function*() {
    const webhooks = yield* WebhookRepository
    const { guildId, id: channelId } = yield* Saved.channel()
    const sibling = yield* Saved.channel({ guildId })
    yield* Saved.webhook({ guildId, channelId: sibling.id })
    yield* Effect.forEach(SHUFFLED, (id) => Saved.webhook({ id: WebhookId.make(id), guildId, channelId }))
    expect(
      yield* pages({
        page: (page) => webhooks.list({ within: { channelId }, ...page }),
        key: ({ id }: Webhook) => id,
        limit: 3
      })
    ).toEqual(ORDERED_PAGES)
  })

  it("a guild's webhooks are those of all of its channels, in the order of their ids by number, page by page", function*() {
    const webhooks = yield* WebhookRepository
    const { guildId, id: first } = yield* Saved.channel()
    const { id: second } = yield* Saved.channel({ guildId })
    yield* Saved.webhook()
    yield* Effect.forEach(
      SHUFFLED,
      (id, index) => Saved.webhook({ id: WebhookId.make(id), guildId, channelId: index % 2 === 0 ? first : second })
    )
    expect(
      yield* pages({
        page: (page) => webhooks.list({ within: { guildId }, ...page }),
        key: ({ id }: Webhook) => id,
        limit: 3
      })
    ).toEqual(ORDERED_PAGES)
  })

  it("a removed webhook is not found, and another one of its channel is; to remove it again is no error", function*() {
    const webhooks = yield* WebhookRepository
    const { channelId, guildId, id } = yield* Saved.webhook()
    const other = yield* Saved.webhook({ channelId, guildId })
    yield* webhooks.remove(id)
    yield* webhooks.remove(id)
    expect(yield* webhooks.find(id)).toEqual(Option.none())
    const page = { after: Option.none(), limit: 10 }
    expect(yield* webhooks.list(page)).toEqual([other])
    expect(yield* webhooks.list({ within: { channelId }, ...page })).toEqual([other])
  })

  describe("deliveries", () => {
    it("deliveries with different ids are different, letter case included", function*() {
      const webhook = yield* Saved.webhook()
      yield* note(webhook, "a")
      const others = yield* Effect.forEach(["A", "a ", ""], (id) => note(webhook, id))
      expect(others).toEqual([true, true, true])
    })

    it("a delivery that is recorded returns the name and avatar that the webhook has by then", function*() {
      const webhook = yield* Saved.webhook()
      const changed = { ...webhook, name: WebhookName.make("Deploys"), avatar: Option.some(FreshIds.avatarHash()) }
      yield* (yield* WebhookRepository).save(changed)
      expect(yield* record(webhook, "72d3162e")).toMatchObject(
        Option.some({ name: changed.name, avatar: changed.avatar })
      )
      yield* (yield* WebhookRepository).save(webhook)
      expect(yield* record(changed, "next")).toMatchObject(Option.some({ name: webhook.name, avatar: webhook.avatar }))
    })

    it("a delivery to one webhook is new to another", function*() {
      const first = yield* Saved.webhook()
      const second = yield* Saved.webhook()
      yield* note(first, "72d3162e")
      expect(yield* note(second, "72d3162e")).toBe(true)
    })

    it("of several callers that record one delivery at the same time, exactly one is the first", function*() {
      const webhook = yield* Saved.webhook()
      const told = yield* Effect.all(Arrays.replicate(note(webhook, "72d3162e"), 20), { concurrency: "unbounded" })
      expect(told.filter((isNew) => isNew).length).toBe(1)
    })

    it("a delivery is remembered for 24 hours, and again from the time when it was new again", function*() {
      const webhook = yield* Saved.webhook()
      const received = (deliveryId: string, ...times: ReadonlyArray<number>) =>
        Effect.forEach(times, (millis) => note(webhook, deliveryId, noonPlus(millis)))
      expect(yield* received("a", 0, DAY_MILLIS - 1)).toEqual([true, false])
      expect(yield* received("b", 0, DAY_MILLIS, DAY_MILLIS + 1)).toEqual([true, true, false])
    })

    it("a repetition extends no other delivery, nor the same one of another webhook", function*() {
      const webhooks = yield* WebhookRepository
      const [one, other] = [yield* Saved.webhook(), yield* Saved.webhook()]
      yield* note(one, "a")
      yield* note(one, "b")
      yield* note(other, "a")
      yield* note(one, "a", noonPlus(1))
      expect(yield* webhooks.forgetDeliveries(NOON, 10)).toBe(2)
    })

    it("a repetition extends the time for which the delivery is remembered", function*() {
      const webhook = yield* Saved.webhook()
      yield* note(webhook, "72d3162e")
      yield* note(webhook, "72d3162e", noonPlus(1000))
      expect(yield* note(webhook, "72d3162e", noonPlus(DAY_MILLIS))).toBe(false)
    })

    it("a change of the webhook keeps its deliveries", function*() {
      const webhook = yield* Saved.webhook()
      yield* note(webhook, "72d3162e")
      yield* (yield* WebhookRepository).save({ ...webhook, avatar: Option.some(FreshIds.avatarHash()) })
      expect(yield* note(webhook, "72d3162e")).toBe(false)
    })

    it("a delivery is not recorded for a token that the webhook no longer has", function*() {
      const webhook = yield* Saved.webhook()
      const webhooks = yield* WebhookRepository
      const renewed = { ...webhook, tokenDigest: Samples.webhook().tokenDigest }
      yield* note(webhook, "seen")
      yield* webhooks.save(renewed)
      expect([yield* note(webhook, "new"), yield* note(webhook, "seen", noonPlus(1000))]).toEqual([false, false])
      expect([yield* note(renewed, "new"), yield* note(renewed, "seen", noonPlus(DAY_MILLIS))]).toEqual([true, true])
    })

    it("a delivery is not recorded for a webhook that does not exist", function*() {
      const webhook = Samples.webhook()
      expect(yield* note(webhook, "72d3162e")).toBe(false)
      expect(yield* (yield* WebhookRepository).forgetDeliveries(NOON, 10)).toBe(0)
    })

    it("deliveries received at the time or before are removed, at most the limit, but later ones are not", function*() {
      const webhooks = yield* WebhookRepository
      const webhook = yield* Saved.webhook()
      const ids = ["before", "early", "at", "after"]
      const receive = (times: ReadonlyArray<number>) =>
        Effect.forEach(ids, (id, index) => note(webhook, id, noonPlus(times[index] ?? 0)))
      yield* receive([-1, -1, 0, 1])
      expect(yield* Effect.replicateEffect(webhooks.forgetDeliveries(NOON, 2), 3)).toEqual([2, 1, 0])
      expect(yield* receive([2, 2, 2, 2])).toEqual([true, true, true, false])
    })

    it("the removal of a webhook removes deliveries to it, and no others", function*() {
      const webhooks = yield* WebhookRepository
      const [removed, kept] = [yield* Saved.webhook(), yield* Saved.webhook()]
      yield* note(removed, "1")
      yield* announce(removed.id, CREATE)
      yield* note(kept, "1")
      yield* webhooks.remove(removed.id)
      expect([yield* webhooks.forgetDeliveries(NOON, 10), yield* note(kept, "1")]).toEqual([1, true])
    })
  })

  describe("announcements", () => {
    it.each(
      [
        ["of two announcements of a change the first is new, whichever it is: create", CREATE, PUSH, 59_999, false],
        ["of two announcements of a change the first is new, whichever it is: push", PUSH, CREATE, 59_999, false],
        ["the other announcement of a change is new after a minute", CREATE, PUSH, 60_000, true],
        ["the same announcement again is another change", PUSH, PUSH, 1, true]
      ] as const
    )("%s", function*([, first, second, millis, isNew]) {
      const { id } = yield* Saved.webhook()
      expect([yield* announce(id, first), yield* announce(id, second, noonPlus(millis))]).toEqual([true, isNew])
    })

    it("a change that was announced twice can be announced again", function*() {
      const { id } = yield* Saved.webhook()
      const both = Effect.all([announce(id, CREATE), announce(id, PUSH)])
      expect([yield* both, yield* both]).toEqual([[true, false], [true, false]])
    })

    it("an announcement that is repeated before its counterpart replaces the earlier one", function*() {
      const { id } = yield* Saved.webhook()
      const again = noonPlus(60_000)
      expect([yield* announce(id, CREATE), yield* announce(id, CREATE, again)]).toEqual([true, true])
      expect([yield* announce(id, PUSH, again), yield* announce(id, PUSH, again)]).toEqual([false, true])
    })

    it("an announcement to one webhook is new to another", function*() {
      const first = yield* Saved.webhook()
      const second = yield* Saved.webhook()
      expect([yield* announce(first.id, CREATE), yield* announce(second.id, PUSH)]).toEqual([true, true])
    })

    it("of several callers that announce one change at the same time, half of them get true", function*() {
      const { id } = yield* Saved.webhook()
      const told = yield* Effect.all([announce(id, CREATE), announce(id, PUSH)], { concurrency: "unbounded" })
      expect(told.filter((isNew) => isNew).length).toBe(1)
    })

    it("announcements are removed with the deliveries", function*() {
      const { id } = yield* Saved.webhook()
      yield* announce(id, CREATE)
      expect(yield* (yield* WebhookRepository).forgetDeliveries(NOON, 10)).toBe(1)
      expect(yield* announce(id, PUSH)).toBe(true)
    })
  })
})
