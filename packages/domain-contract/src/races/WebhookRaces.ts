import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import { Embed } from "@community-messaging/domain/message/Embed"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import type { Delivery } from "@community-messaging/domain/webhook/Delivery"
import { type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Either, Fiber, Option, type Scope } from "effect"
import * as Saved from "../Saved.ts"
import { testsOnTwoServers } from "../TestsOver.ts"
import { posted } from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import { still, type TwoConnections } from "../world/World.ts"
import { allSideBySide, failures, ROUNDS, rounds, sideBySide, successes, times } from "./SideBySide.ts"

const actor = { _tag: "CommandLine" } as const

const DELIVERY: Delivery = {
  deliveryId: Option.none(),
  embed: Either.right(Embed.make({ title: Option.some("Build failed") })),
  announcement: Option.none()
}

const post = (webhook: Webhook, delivery: Partial<Delivery> = {}) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.post(webhook, { ...DELIVERY, ...delivery }))

const update = (webhook: Webhook, changes: { readonly name?: string; readonly avatar?: Uint8Array | null }) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    webhooks.update(webhook, {
      name: Option.map(Option.fromNullable(changes.name), (name) => WebhookName.make(name)),
      avatar: changes.avatar === undefined ? undefined : Option.fromNullable(changes.avatar)
    }))

const rotate = (webhook: Webhook) => Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateToken(webhook.id, actor))

const remove = (webhook: Webhook) => Effect.flatMap(Webhooks, (webhooks) => webhooks.remove(webhook.id, actor))

const find = (webhook: Webhook) => Effect.flatMap(WebhookRepository, (webhooks) => webhooks.find(webhook.id))

const countPosted = (channelId: ChannelId) => Effect.map(posted(channelId), ({ length }) => length)

const create = (id: string, counterpart: string) => ({ announcement: Option.some({ id, counterpart }) })

/** The guarantees for webhooks and notifications while other units run concurrently. */
export const webhookRaces = <E>(connections: TwoConnections<E, Scope.Scope>) =>
  describe("webhooks", () => {
    const it = testsOnTwoServers(connections)

    it("a delivery that arrives eight times at once posts once", function*(servers) {
      const webhook = yield* Effect.provide(Saved.webhook(), servers.first)
      const deliveries = Arrays.makeBy(ROUNDS, (round) => post(webhook, { deliveryId: Option.some(`${round}`) }))
      const outcomes = yield* sideBySide(servers, Arrays.replicate(deliveries, 8).flat())
      expect(successes(outcomes).filter(Either.isRight).length).toBe(ROUNDS)
      expect(yield* Effect.provide(countPosted(webhook.channelId), servers.second)).toBe(ROUNDS)
    })

    it("a delivery of more than a day ago that arrives eight times at once posts once more", function*(servers) {
      const webhook = yield* Effect.provide(Saved.webhook(), servers.first)
      const deliveries = Arrays.makeBy(ROUNDS, (round) => post(webhook, { deliveryId: Option.some(`${round}`) }))
      yield* sideBySide(servers, deliveries)
      yield* Time.adjust("25 hours")
      yield* sideBySide(servers, Arrays.replicate(deliveries, 8).flat())
      expect(yield* Effect.provide(countPosted(webhook.channelId), servers.second)).toBe(2 * ROUNDS)
    })

    it("a delivery that arrives again while old ones are removed is remembered", function*(servers) {
      const webhook = yield* Effect.provide(Saved.webhook(), servers.first)
      const deliveries = Arrays.makeBy(ROUNDS, (round) => post(webhook, { deliveryId: Option.some(`${round}`) }))
      yield* sideBySide(servers, deliveries)
      yield* Time.adjust("25 hours")
      const forget = Effect.flatMap(Webhooks, ({ forgetDeliveries }) => forgetDeliveries(5))
      yield* allSideBySide(servers, deliveries.flatMap((delivery) => [delivery, forget]))
      const again = yield* sideBySide(servers, deliveries)
      expect(successes(again).filter(Either.isRight)).toEqual([])
      expect(yield* Effect.provide(countPosted(webhook.channelId), servers.second)).toBe(2 * ROUNDS)
    })

    it("two simultaneous notifications that announce the same change post one message", function*(servers) {
      const webhook = yield* Effect.provide(Saved.webhook(), servers.first)
      const pairs = Arrays.makeBy(ROUNDS, (round) => [
        post(webhook, create(`create ${round}`, `push ${round}`)),
        post(webhook, create(`push ${round}`, `create ${round}`))
      ]).flat()
      const outcomes = yield* sideBySide(servers, pairs)
      expect(successes(outcomes).filter(Either.isRight).length).toBe(ROUNDS)
      expect(yield* Effect.provide(countPosted(webhook.channelId), servers.second)).toBe(ROUNDS)
    })

    it("a new name and a new avatar are both stored", function*(servers) {
      const webhooks = yield* rounds(servers, () => Saved.webhook())
      yield* sideBySide(
        servers,
        webhooks.flatMap((webhook) => [
          update(webhook, { name: "lights" }),
          update(webhook, { avatar: still(1) })
        ])
      )
      const after = yield* Effect.provide(Effect.forEach(webhooks, find), servers.second)
      expect(after.map(Option.map(({ avatar, name }) => `${name} ${Option.isSome(avatar)}`)))
        .toEqual(webhooks.map(() => Option.some("lights true")))
    })

    it("a token that was replaced never works again, also if others rename the webhook", function*(servers) {
      const webhooks = yield* rounds(servers, () => Saved.webhook())
      yield* allSideBySide(
        servers,
        webhooks.flatMap((webhook) => [rotate(webhook), update(webhook, { name: "lights" })])
      )
      const after = yield* Effect.provide(Effect.forEach(webhooks, find), servers.second)
      const old = new Set(webhooks.map(({ tokenDigest }) => tokenDigest))
      expect(after.filter((found) => !Option.exists(found, ({ tokenDigest }) => !old.has(tokenDigest)))).toEqual([])
    })

    it("a removed webhook stays removed, also if others rename it", function*(servers) {
      const webhooks = yield* rounds(servers, () => Saved.webhook())
      const outcomes = yield* allSideBySide(
        servers,
        webhooks.flatMap((webhook) => [
          update(webhook, { name: "lights" }),
          remove(webhook),
          remove(webhook),
          rotate(webhook)
        ])
      )
      const removals = outcomes.filter((_outcome, index) => index % 4 === 1 || index % 4 === 2)
      expect(removals.filter(Either.isRight).length).toBe(ROUNDS)
      const after = yield* Effect.provide(Effect.forEach(webhooks, find), servers.second)
      expect(after.filter(Option.isSome)).toEqual([])
    })

    it("nothing more is posted with a token once it is replaced", function*(servers) {
      const webhooks = yield* rounds(servers, () => Saved.webhook())
      yield* Effect.forEach(webhooks, (webhook) =>
        Effect.gen(function*() {
          const posting = yield* Effect.fork(times(servers, 6, post(webhook)))
          yield* Effect.provide(rotate(webhook), servers.second)
          const before = yield* Effect.provide(countPosted(webhook.channelId), servers.second)
          const outcomes = yield* Fiber.join(posting)
          expect(yield* Effect.provide(countPosted(webhook.channelId), servers.second)).toBe(before)
          expect(new Set(failures(outcomes)).size).toBeLessThanOrEqual(1)
        }), { discard: true })
    })

    it("an avatar that one webhook drops and another one takes still exists", function*(servers) {
      const pairs = yield* rounds(servers, (round) =>
        Effect.gen(function*() {
          const dropping = yield* Saved.webhook()
          const taking = yield* Saved.webhook()
          return { dropping: yield* update(dropping, { avatar: still(round) }), round, taking }
        }))
      const outcomes = yield* sideBySide(
        servers,
        pairs.flatMap(({ dropping, round, taking }, index) => [
          update(dropping, { avatar: index % 2 === 0 ? null : still(100 + round) }),
          update(taking, { avatar: still(round) })
        ])
      )
      expect(outcomes.filter(Either.isLeft)).toEqual([])
      const kept = yield* Effect.provide(
        Effect.forEach(pairs, ({ taking }) =>
          Effect.flatMap(find(taking), (found) =>
            Effect.flatMap(
              AvatarStore,
              (avatars) => avatars.find(Option.getOrThrow(Option.flatMap(found, ({ avatar }) => avatar)))
            ))),
        servers.second
      )
      expect(kept.filter(Option.isNone)).toEqual([])
    })

    it("two webhooks that swap their avatars both succeed", function*(servers) {
      const pairs = yield* rounds(servers, (round) =>
        Effect.gen(function*() {
          const [one, other] = [yield* Saved.webhook(), yield* Saved.webhook()]
          return [
            { webhook: yield* update(one, { avatar: still(round) }), wants: still(100 + round) },
            { webhook: yield* update(other, { avatar: still(100 + round) }), wants: still(round) }
          ]
        }))
      const outcomes = yield* sideBySide(
        servers,
        pairs.flat().map(({ wants, webhook }) => update(webhook, { avatar: wants }))
      )
      expect(outcomes.filter(Either.isLeft)).toEqual([])
      const hashes = yield* Effect.provide(
        Effect.flatMap(AvatarStore, (avatars) => avatars.list({ after: Option.none(), limit: 100 })),
        servers.second
      )
      expect(hashes.length).toBe(2 * ROUNDS)
    })
  })
