import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import {
  LocalDateTime,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, TestClock } from "effect"
import { failure } from "./Failure.ts"
import { AN_HOUR_AHEAD, ANN, community, keep, saying, schedule, stored } from "./Scheduling.ts"
import { account, channel, events, everything, guild } from "./Stored.ts"
import { START, whileEventLogFails, world } from "./World.ts"

const BOB = UserId.make("3")
const NOWHERE = ChannelId.make("404")

const edit = (id: ScheduledMessageId, changes: Partial<Schedule>, authorId: UserId = ANN) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.edit(authorId, id, changes))

const at = (local: string) => ({ scheduledLocalAt: LocalDateTime.make(local) })

const told = (id: ScheduledMessageId, status: string) => ({
  _tag: "scheduled_message.updated",
  version: 1,
  scheduledMessageId: id,
  authorId: ANN,
  status
})

/** A channel of a guild that Ann is not in. */
const foreignChannel = Effect.gen(function*() {
  yield* account(BOB)
  yield* guild("2000", BOB)
  return (yield* channel("600", GuildId.make("2000"))).id
})

/** What makes a message one that can not be posted. */
const undeliverable = [
  ["a channel that is not there", { channelId: NOWHERE }, "The channel is gone."],
  [
    "a payload that breaks a limit",
    { payload: saying("x".repeat(4001)) },
    "The content is longer than 4000 characters."
  ],
  ["nothing to say", { payload: saying(" ") }, "The message is empty."]
] as const

describe("scheduling a message", () => {
  it.effect("keeps it as it was given, armed, for the instant of its local time", () =>
    Effect.gen(function*() {
      yield* community
      const message = yield* schedule()
      expect(message).toMatchObject({
        ...AN_HOUR_AHEAD,
        authorId: ANN,
        scheduledAt: DateTime.add(START, { hours: 1 }),
        status: "scheduled",
        createdAt: START,
        attempts: 0
      })
      expect(yield* stored(message.id)).toEqual(message)
    }).pipe(Effect.provide(world)))

  it.effect("is told in an event", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      expect(yield* events).toEqual([told(id, "scheduled")])
    }).pipe(Effect.provide(world)))

  it.effect("moves a time that clocks leave out forward", () =>
    Effect.gen(function*() {
      yield* community
      const { scheduledAt, scheduledLocalAt } = yield* schedule(at("2027-03-28T02:30:00"))
      expect(DateTime.formatIso(scheduledAt)).toBe("2027-03-28T01:30:00.000Z")
      expect(scheduledLocalAt).toBe("2027-03-28T02:30:00")
    }).pipe(Effect.provide(world)))

  it.effect.each(
    [
      ["for this very moment", "2027-03-01T13:00:00"],
      ["for the past", "2027-03-01T12:59:59.999"],
      ["for more than 365 days ahead", "2028-02-29T13:00:00.001"]
    ] as const
  )("%s is refused", ([, local]) =>
    Effect.gen(function*() {
      yield* community
      const before = yield* everything
      expect(yield* failure(schedule(at(local)))).toMatchObject({ _tag: "ScheduledTimeOutOfRange" })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))

  it.effect("for exactly 365 days ahead is possible", () =>
    Effect.gen(function*() {
      yield* community
      const { scheduledAt } = yield* schedule(at("2028-02-29T13:00:00"))
      expect(DateTime.distance(START, scheduledAt)).toBe(Duration.toMillis("365 days"))
    }).pipe(Effect.provide(world)))

  it.effect.each(undeliverable)("for %s is refused", ([, fields, reason]) =>
    Effect.gen(function*() {
      yield* community
      const before = yield* everything
      expect(yield* failure(schedule(fields))).toMatchObject({ _tag: "UndeliverableMessage", reason })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))

  it.effect("for a channel of a guild that the author is not in is refused", () =>
    Effect.gen(function*() {
      yield* community
      const channelId = yield* foreignChannel
      expect(yield* failure(schedule({ channelId }))).toMatchObject({
        _tag: "UndeliverableMessage",
        channelId,
        reason: "The author has no access to the channel."
      })
    }).pipe(Effect.provide(world)))

  it.effect("is possible for the hundredth undelivered message, not for another", () =>
    Effect.gen(function*() {
      yield* community
      const undelivered = ["pending", "scheduled", "invalid", "failed"] as const
      yield* Effect.forEach(Array.from({ length: 99 }), (_, index) =>
        keep(String(index + 1), { status: undelivered[index % 4] ?? "pending" }))
      yield* keep("100", { status: "sent" })
      yield* keep("101", { status: "cancelled" })
      expect((yield* schedule()).status).toBe("scheduled")
      expect(yield* failure(schedule())).toMatchObject({
        _tag: "TooManyScheduledMessages",
        authorId: ANN,
        maximum: 100
      })
    }).pipe(Effect.provide(world)))

  it.effect("leaves nothing behind when the event log fails", () =>
    Effect.gen(function*() {
      yield* community
      const before = yield* everything
      expect(yield* failure(whileEventLogFails(schedule()))).toMatchObject({ _tag: "StorageError" })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))
})

describe("editing a scheduled message", () => {
  it.effect("changes what is given and leaves the rest", () =>
    Effect.gen(function*() {
      yield* community
      const before = yield* schedule()
      const after = yield* edit(before.id, { payload: saying("Good evening") })
      expect(after).toEqual({ ...before, payload: saying("Good evening") })
      expect(yield* stored(before.id)).toEqual(after)
      expect((yield* events).slice(1)).toEqual([told(before.id, "scheduled")])
    }).pipe(Effect.provide(world)))

  it.effect("takes nothing else from what is given: another message, say", () =>
    Effect.gen(function*() {
      yield* community
      yield* account(BOB)
      const sent = yield* keep("1", { status: "sent", authorId: BOB, payload: saying("Of another") })
      const before = yield* schedule()
      expect(yield* edit(before.id, sent)).toEqual({ ...before, payload: saying("Of another") })
    }).pipe(Effect.provide(world)))

  it.effect("moves it to another local time, or to the same in another zone", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      const later = yield* edit(id, at("2027-03-01T15:00:00"))
      expect(later.scheduledAt).toEqual(DateTime.add(START, { hours: 2 }))
      const elsewhere = yield* edit(id, { timezone: TimeZoneName.make("Europe/London") })
      expect(elsewhere.scheduledAt).toEqual(DateTime.add(START, { hours: 3 }))
    }).pipe(Effect.provide(world)))

  it.effect.each(["invalid", "failed"] as const)("that is %s starts it afresh", (status) =>
    Effect.gen(function*() {
      yield* community
      const before = yield* keep("1", {
        status,
        statusReason: Option.some("The channel is gone."),
        invalidatedAt: Option.some(START),
        endedAt: Option.some(START),
        attempts: 5,
        nextAttemptAt: Option.some(START)
      })
      const after = yield* edit(before.id, { payload: saying("Again") })
      expect(after).toEqual({
        ...before,
        payload: saying("Again"),
        status: "scheduled",
        statusReason: Option.none(),
        invalidatedAt: Option.none(),
        endedAt: Option.none(),
        attempts: 0,
        nextAttemptAt: Option.none()
      })
      expect(yield* stored(before.id)).toEqual(after)
    }).pipe(Effect.provide(world)))

  it.effect("that is invalid needs another time where its own has passed", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* keep("1", { status: "invalid" })
      yield* TestClock.adjust("2 hours")
      expect(yield* failure(edit(id, { payload: saying("Again") }))).toMatchObject({
        _tag: "ScheduledTimeOutOfRange"
      })
      expect((yield* edit(id, at("2027-03-01T16:00:00"))).status).toBe("scheduled")
    }).pipe(Effect.provide(world)))

  it.effect("that is pending arms it", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* keep("1", { status: "pending" })
      expect((yield* edit(id, {})).status).toBe("scheduled")
    }).pipe(Effect.provide(world)))

  it.effect.each(["sent", "cancelled"] as const)("that was %s is not possible", (status) =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* keep("1", { status })
      expect(yield* failure(edit(id, { payload: saying("Again") }))).toMatchObject({
        _tag: "IllegalScheduledMessageTransition",
        scheduledMessageId: id,
        from: status
      })
    }).pipe(Effect.provide(world)))

  it.effect.each(undeliverable)("to %s is refused and changes nothing", ([, fields, reason]) =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      const before = yield* everything
      expect(yield* failure(edit(id, fields))).toMatchObject({ _tag: "UndeliverableMessage", reason })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))

  it.effect("of another author, or one that is not there, is unknown", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      const nowhere = ScheduledMessageId.make("404")
      expect(yield* failure(edit(id, {}, BOB))).toMatchObject({
        _tag: "UnknownScheduledMessage",
        scheduledMessageId: id
      })
      expect(yield* failure(edit(nowhere, {}))).toMatchObject({ _tag: "UnknownScheduledMessage" })
    }).pipe(Effect.provide(world)))

  it.effect("leaves it as it was when the event log fails", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* schedule()
      const before = yield* everything
      const failed = whileEventLogFails(edit(id, { payload: saying("Good evening") }))
      expect(yield* failure(failed)).toMatchObject({ _tag: "StorageError" })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))
})
