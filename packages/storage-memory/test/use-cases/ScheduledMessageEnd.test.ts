import { UserId } from "@community-messaging/domain/account/User"
import { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { failure } from "./Failure.ts"
import { ANN, community, keep, schedule, stored } from "./Scheduling.ts"
import { events, everything } from "./Stored.ts"
import { START, whileEventLogFails, world } from "./World.ts"

const BOB = UserId.make("3")

const cancel = (id: ScheduledMessageId, authorId: UserId = ANN) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))

describe("cancelling a scheduled message", () => {
  it.effect.each(["pending", "scheduled", "invalid", "failed"] as const)(
    "is possible while it is %s",
    (status) =>
      Effect.gen(function*() {
        yield* community
        const before = yield* keep("1", { status, statusReason: Option.some("old reason") })
        const after = yield* cancel(before.id)
        expect(after).toEqual({
          ...before,
          status: "cancelled",
          statusReason: Option.none(),
          endedAt: Option.some(START)
        })
        expect(yield* stored(before.id)).toEqual(after)
        expect(yield* events).toEqual([
          {
            _tag: "scheduled_message.updated",
            version: 1,
            scheduledMessageId: before.id,
            authorId: ANN,
            status: "cancelled"
          }
        ])
      }).pipe(Effect.provide(world))
  )

  it.effect.each(["sent", "cancelled"] as const)("comes too late when it is %s", (status) =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* keep("1", { status })
      const before = yield* everything
      expect(yield* failure(cancel(id))).toMatchObject({
        _tag: "IllegalScheduledMessageTransition",
        from: status,
        to: "cancelled"
      })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))

  it.effect("of another author, or one that is not there, is unknown", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      expect(yield* failure(cancel(id, BOB))).toMatchObject({ _tag: "UnknownScheduledMessage" })
      expect(yield* failure(cancel(ScheduledMessageId.make("404")))).toMatchObject({
        _tag: "UnknownScheduledMessage"
      })
    }).pipe(Effect.provide(world)))

  it.effect("leaves it as it was when the event log fails", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      const before = yield* everything
      expect(yield* failure(whileEventLogFails(cancel(id)))).toMatchObject({ _tag: "StorageError" })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))
})

describe("a message that ended", () => {
  const removeExpired = (limit: number) =>
    Effect.flatMap(ScheduledMessages, (messages) => messages.removeExpired(limit))

  it.effect("is kept for 31 days and then removed", () =>
    Effect.gen(function*() {
      yield* community
      yield* keep("1", { status: "sent", endedAt: Option.some(START) })
      yield* TestClock.adjust("31 days")
      expect(yield* removeExpired(10)).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* removeExpired(10)).toBe(1)
      expect(yield* Effect.option(stored(ScheduledMessageId.make("1")))).toEqual(Option.none())
    }).pipe(Effect.provide(world)))

  it.effect("is removed with at most as many others as asked for", () =>
    Effect.gen(function*() {
      yield* community
      yield* Effect.forEach(["1", "2", "3"], (id) => keep(id, { status: "cancelled", endedAt: Option.some(START) }))
      yield* TestClock.adjust("32 days")
      expect([yield* removeExpired(2), yield* removeExpired(2), yield* removeExpired(2)]).toEqual([2, 1, 0])
    }).pipe(Effect.provide(world)))

  it.effect("is told from one that has not, which is never removed", () =>
    Effect.gen(function*() {
      yield* community
      yield* keep("1")
      yield* TestClock.adjust("1000 days")
      expect(yield* removeExpired(10)).toBe(0)
    }).pipe(Effect.provide(world)))
})
