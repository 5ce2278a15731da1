import * as Samples from "@community-messaging/domain-contract/Samples"
import {
  AN_HOUR_LATER,
  contents,
  dispatch,
  eventsOf,
  inUtc,
  join,
  keep,
  NOTHING_DUE,
  ONE_DONE,
  plain,
  plainMessage,
  posted,
  saying,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored,
  untilDue,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { inWorld } from "../World.ts"
import { UNDELIVERABLE } from "./Undeliverable.ts"

describe("a scheduled message", () => {
  it.effect("is not posted a millisecond before its time", () =>
    Effect.gen(function*() {
      yield* schedule(yield* scene())
      yield* Time.setTime(AN_HOUR_LATER.epochMillis - 1)
      const before = yield* everything
      expect(yield* dispatch()).toEqual(NOTHING_DUE)
      expect(yield* everything).toEqual(before)
    }).pipe(inWorld))

  it.effect("is posted at its time, as written by its author", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      const { payload } = Samples.message({ payload: { ...saying("Good afternoon"), nonce: Option.some("7") } })
      yield* schedule(at, { payload })
      yield* untilDue
      expect(yield* dispatch()).toEqual(ONE_DONE)
      const found = yield* posted(at.channel.id)
      expect(found.length).toBe(1)
      expect(found.map(plainMessage)).toEqual(found.map(({ id }) =>
        plainMessage({
          id,
          channelId: at.channel.id,
          guildId: at.channel.guildId,
          author: { _tag: "User", userId: at.author.id },
          payload,
          createdAt: AN_HOUR_LATER
        })
      ))
    }).pipe(inWorld))

  it.effect("is sent then, with an event of the posted message and one of its own", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      const message = yield* schedule(at)
      yield* untilDue
      const told = yield* eventsOf(dispatch())
      expect(plain(yield* stored(message.id)))
        .toEqual(plain({ ...message, status: "sent", endedAt: Option.some(AN_HOUR_LATER) }))
      const created = (yield* posted(at.channel.id)).map((found) => ({
        _tag: "message.created",
        version: 1,
        message: plainMessage(found)
      }))
      expect(told).toEqual([...created, updated(message, "sent")])
    }).pipe(inWorld))

  it.effect("is posted once, and late if no server runs at its time", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      yield* Time.adjust("400 days")
      expect([yield* dispatch(), yield* dispatch()]).toEqual([ONE_DONE, NOTHING_DUE])
      expect((yield* posted(at.channel.id)).map(({ createdAt }) => createdAt)).toEqual([startPlus("400 days")])
    }).pipe(inWorld))

  it.effect("is posted in the order of the times, with at most the limit", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* Effect.forEach(
        [3, 1, 4, 2],
        (minute) => schedule(at, { ...inUtc(startPlus(`${minute} minutes`)), payload: saying(`${minute}`) })
      )
      yield* untilDue
      expect(yield* dispatch(3)).toEqual({ claimed: 3, done: 3, failed: 0 })
      expect(yield* contents(at.channel.id)).toEqual(["1", "2", "3"])
      yield* dispatch(3)
      expect(yield* contents(at.channel.id)).toEqual(["1", "2", "3", "4"])
    }).pipe(inWorld))

  it.effect.each(["pending", "invalid", "failed", "cancelled", "sent"] as const)(
    "that is %s is not posted",
    (status) =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* keep(at, { status })
        yield* untilDue
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        expect(yield* posted(at.channel.id)).toEqual([])
      }).pipe(inWorld)
  )

  it.effect("is posted while the deletion of its author's account is scheduled", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      const message = yield* schedule(at)
      yield* scheduleDeletion(at.author.id)
      yield* untilDue
      yield* dispatch()
      expect((yield* stored(message.id)).status).toBe("sent")
    }).pipe(inWorld))
})

describe("a message that cannot be posted when it is due", () => {
  it.effect.each(UNDELIVERABLE)(
    "becomes invalid with the reason if %s, with one event",
    ([, change, reason]) =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), yield* change)
        yield* untilDue
        expect(yield* eventsOf(dispatch())).toEqual([updated(message, "invalid")])
        expect(plain(yield* stored(message.id))).toEqual(plain({
          ...message,
          status: "invalid",
          statusReason: Option.some(reason),
          invalidatedAt: Option.some(AN_HOUR_LATER),
          endedAt: Option.some(AN_HOUR_LATER)
        }))
        yield* Time.adjust("1 day")
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
      }).pipe(inWorld)
  )

  it.effect("does not prevent others from being posted", () =>
    Effect.gen(function*() {
      const [at, other] = [yield* scene(), yield* scene()]
      yield* keep(at, { payload: saying(""), scheduledAt: START })
      yield* schedule(other)
      yield* untilDue
      expect(yield* dispatch()).toEqual({ claimed: 2, done: 2, failed: 0 })
      expect(yield* contents(other.channel.id)).toEqual(["Good afternoon"])
    }).pipe(inWorld))

  it.effect("is posted after an edit, once its author is back in the guild", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      const message = yield* schedule(at)
      yield* (yield* MembershipRepository).remove(at.channel.guildId, at.author.id)
      yield* untilDue
      yield* dispatch()
      yield* join(at.channel.guildId, at.author.id)
      yield* (yield* ScheduledMessages).edit(at.author.id, message.id, inUtc(startPlus("2 hours")))
      yield* Time.adjust("1 hour")
      yield* dispatch()
      expect(yield* contents(at.channel.id)).toEqual(["Good afternoon"])
    }).pipe(inWorld))
})
