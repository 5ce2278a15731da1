import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  contents,
  deleteDue,
  dispatch,
  dueMessage,
  eventsOf,
  inUtc,
  saying,
  scene,
  scheduleDeletion,
  startPlus,
  stored
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inWorld } from "../World.ts"

const A_DAY_BUT_A_MILLISECOND = 86_399_999

/** Posts due messages, and runs `others` right after they were claimed. */
const dispatchWhile = <A, E, R>(others: Effect.Effect<A, E, R>) =>
  Faults.meanwhile("scheduledMessages.claimDue", others)(dispatch())

/** Deletes due accounts, and runs `others` right after they were claimed. */
const deleteWhile = <A, E, R>(others: Effect.Effect<A, E, R>) =>
  Faults.meanwhile("users.claimDueDeletions", others)(deleteDue())

/** An account that is due. */
const dueAccount = Effect.gen(function*() {
  const { author } = yield* scene()
  yield* scheduleDeletion(author.id, 1)
  yield* Time.adjust("1 day")
  return author
})

describe("a message that was claimed", () => {
  it.effect("is posted as its author has edited it in the meantime", () =>
    Effect.gen(function*() {
      const { author, channel, message } = yield* dueMessage
      const messages = yield* ScheduledMessages
      yield* dispatchWhile(messages.edit(author.id, message.id, { payload: saying("Good evening") }))
      expect(yield* contents(channel.id)).toEqual(["Good evening"])
    }).pipe(inWorld))

  it.effect("is not posted before the new time that its author has set in the meantime", () =>
    Effect.gen(function*() {
      const { author, channel, message } = yield* dueMessage
      const messages = yield* ScheduledMessages
      expect(yield* dispatchWhile(messages.edit(author.id, message.id, inUtc(startPlus("2 hours")))))
        .toEqual({ claimed: 1, done: 0, failed: 0 })
      expect(yield* contents(channel.id)).toEqual([])
      yield* Time.adjust("1 hour")
      yield* dispatch()
      expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
    }).pipe(inWorld))

  it.effect("is not posted if its author has cancelled it in the meantime", () =>
    Effect.gen(function*() {
      const { author, channel, message } = yield* dueMessage
      const messages = yield* ScheduledMessages
      yield* dispatchWhile(messages.cancel(author.id, message.id))
      expect([yield* contents(channel.id), (yield* stored(message.id)).status]).toEqual([[], "cancelled"])
    }).pipe(inWorld))

  it.effect("is posted once if the lease ended before its claimant handled it", () =>
    Effect.gen(function*() {
      const { channel } = yield* dueMessage
      const other = Effect.zipRight(Time.adjust("30 seconds"), dispatch())
      expect(yield* dispatchWhile(other)).toEqual({ claimed: 1, done: 0, failed: 0 })
      expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
    }).pipe(inWorld))
})

describe("an account that was claimed for its deletion", () => {
  it.effect("is not deleted before the new date of its deletion that was set in the meantime", () =>
    Effect.gen(function*() {
      const author = yield* dueAccount
      expect(yield* deleteWhile(scheduleDeletion(author.id, 1))).toEqual({ claimed: 1, done: 0, failed: 0 })
      yield* Time.adjust(A_DAY_BUT_A_MILLISECOND)
      expect((yield* deleteDue()).done).toBe(0)
      yield* Time.adjust("1 millis")
      expect((yield* deleteDue()).done).toBe(1)
    }).pipe(inWorld))

  it.effect("is deleted once if the lease ended before its claimant handled it", () =>
    Effect.gen(function*() {
      const author = yield* dueAccount
      const other = Effect.zipRight(Time.adjust("30 seconds"), deleteDue())
      const told = yield* eventsOf(deleteWhile(other))
      expect(told.filter(({ _tag }) => _tag === "user.deleted")).toEqual([
        { _tag: "user.deleted", version: 1, userId: author.id }
      ])
    }).pipe(inWorld))
})
