import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option, Random, TestClock } from "effect"
import { ANN, CHANNEL, community, GUILD, keep, saying, stored } from "./Scheduling.ts"
import { events, everything } from "./Stored.ts"
import { START, whileEventLogFails, whilePostingFails, world } from "./World.ts"

const ID = ScheduledMessageId.make("1")

const dispatch = (limit = 10) => Effect.flatMap(ScheduledMessages, (messages) => messages.dispatchDue(limit))

const posted = Effect.flatMap(
  MessageRepository,
  (messages) => messages.inChannel({ channelId: CHANNEL, before: Option.none(), limit: 100 })
)

/** Ann's community and a message of hers that is due in an hour. */
const scheduled = Effect.zipRight(community, keep(ID))

/** As `scheduled`, an hour later. */
const due = Effect.zipLeft(scheduled, TestClock.adjust("1 hour"))

const AT_ITS_TIME = DateTime.add(START, { hours: 1 })

describe("a scheduled message", () => {
  it.effect("is not posted a millisecond before its time", () =>
    Effect.gen(function*() {
      yield* scheduled
      yield* TestClock.adjust("3599999 millis")
      expect(yield* dispatch()).toEqual({ claimed: 0, done: 0, failed: 0 })
      expect(yield* posted).toEqual([])
    }).pipe(Effect.provide(world)))

  it.effect("is posted at its time, in its author's name", () =>
    Effect.gen(function*() {
      yield* due
      expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
      const messages = yield* posted
      expect(messages).toEqual([{
        id: messages[0]?.id,
        channelId: CHANNEL,
        guildId: GUILD,
        author: { _tag: "User", userId: ANN },
        payload: saying("Good afternoon"),
        createdAt: AT_ITS_TIME
      }])
    }).pipe(Effect.provide(world)))

  it.effect("is then sent, which is told together with the message", () =>
    Effect.gen(function*() {
      const before = yield* due
      yield* dispatch()
      expect(yield* stored(ID)).toEqual({ ...before, status: "sent", endedAt: Option.some(AT_ITS_TIME) })
      expect(yield* events).toEqual([
        { _tag: "message.created", version: 1, message: (yield* posted)[0] },
        { _tag: "scheduled_message.updated", version: 1, scheduledMessageId: ID, authorId: ANN, status: "sent" }
      ])
    }).pipe(Effect.provide(world)))

  it.effect("is posted late when nobody was there at its time", () =>
    Effect.gen(function*() {
      yield* due
      yield* TestClock.adjust("3 days")
      expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
    }).pipe(Effect.provide(world)))

  it.effect("is posted once, however many look for due messages", () =>
    Effect.gen(function*() {
      yield* due
      yield* Effect.all(Array.from({ length: 10 }, () => dispatch()), { concurrency: "unbounded" })
      yield* TestClock.adjust("1 hour")
      yield* dispatch()
      expect(yield* posted).toHaveLength(1)
    }).pipe(Effect.provide(world)))

  it.effect("is posted with at most as many others as asked for, the soonest first", () =>
    Effect.gen(function*() {
      yield* community
      const minutes = (count: number) => DateTime.add(START, { minutes: count })
      yield* keep("1", { scheduledAt: minutes(3), payload: saying("third") })
      yield* keep("2", { scheduledAt: minutes(1), payload: saying("first") })
      yield* keep("3", { scheduledAt: minutes(2), payload: saying("second") })
      yield* TestClock.adjust("1 hour")
      expect(yield* dispatch(2)).toEqual({ claimed: 2, done: 2, failed: 0 })
      const contents = (yield* posted).map(({ payload }) => Option.getOrUndefined(payload.content))
      expect(contents).toEqual(["second", "first"])
    }).pipe(Effect.provide(world)))

  it.effect.each(["pending", "invalid", "failed", "cancelled", "sent"] as const)(
    "is not posted while it is %s",
    (status) =>
      Effect.gen(function*() {
        yield* community
        yield* keep(ID, { status })
        yield* TestClock.adjust("1 hour")
        expect(yield* dispatch()).toEqual({ claimed: 0, done: 0, failed: 0 })
        expect(yield* posted).toEqual([])
      }).pipe(Effect.provide(world))
  )
})

describe("a scheduled message that can not be posted", () => {
  const becomesInvalid = (reason: string) =>
    Effect.gen(function*() {
      const before = yield* stored(ID)
      expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
      expect(yield* stored(ID)).toEqual({
        ...before,
        status: "invalid",
        statusReason: Option.some(reason),
        invalidatedAt: Option.some(AT_ITS_TIME),
        endedAt: Option.some(AT_ITS_TIME)
      })
      expect(yield* events).toEqual([
        { _tag: "scheduled_message.updated", version: 1, scheduledMessageId: ID, authorId: ANN, status: "invalid" }
      ])
      expect(yield* posted).toEqual([])
    })

  it.effect("is invalid where its channel is gone", () =>
    Effect.gen(function*() {
      yield* due
      yield* Effect.flatMap(GuildRepository, (guilds) => guilds.removeChannel(CHANNEL))
      yield* becomesInvalid("The channel is gone.")
    }).pipe(Effect.provide(world)))

  it.effect("is invalid where its author has left the guild", () =>
    Effect.gen(function*() {
      yield* due
      yield* Effect.flatMap(MembershipRepository, (memberships) => memberships.remove(GUILD, ANN))
      yield* becomesInvalid("The author has no access to the channel.")
    }).pipe(Effect.provide(world)))

  it.effect("is invalid where its payload breaks a limit", () =>
    Effect.gen(function*() {
      yield* community
      yield* keep(ID, { payload: saying("x".repeat(4001)) })
      yield* TestClock.adjust("1 hour")
      yield* becomesInvalid("The content is longer than 4000 characters.")
    }).pipe(Effect.provide(world)))
})

describe("an attempt that fails", () => {
  /** Without jitter the delay is half of 1, 2, 4 and 8 seconds. */
  const withoutJitter = Effect.withRandom(Random.fixed([0]))

  const fails = withoutJitter(whilePostingFails(dispatch()))

  it.effect("leaves nothing behind but its number and the time of the next", () =>
    Effect.gen(function*() {
      yield* due
      const before = yield* everything
      expect(yield* fails).toEqual({ claimed: 1, done: 0, failed: 1 })
      const [message] = before.scheduledMessages
      expect(yield* everything).toEqual({
        ...before,
        scheduledMessages: [{
          ...message,
          attempts: 1,
          nextAttemptAt: Option.some(DateTime.add(AT_ITS_TIME, { millis: 500 }))
        }]
      })
    }).pipe(Effect.provide(world)))

  it.effect("comes again at that time and not before", () =>
    Effect.gen(function*() {
      yield* due
      yield* fails
      yield* TestClock.adjust("499 millis")
      expect((yield* dispatch()).claimed).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
      expect(yield* posted).toHaveLength(1)
    }).pipe(Effect.provide(world)))

  it.effect("waits twice as long each time", () =>
    Effect.gen(function*() {
      yield* due
      const waits = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.gen(function*() {
          yield* fails
          const now = yield* DateTime.now
          const next = Option.getOrThrow((yield* stored(ID)).nextAttemptAt)
          yield* TestClock.setTime(next.epochMillis)
          return DateTime.distance(now, next)
        }))
      expect(waits).toEqual([500, 1000, 2000, 4000])
    }).pipe(Effect.provide(world)))

  it.effect("is the last when it is the fifth: the message has failed", () =>
    Effect.gen(function*() {
      yield* due
      yield* Effect.replicateEffect(Effect.zipLeft(fails, TestClock.adjust("10 seconds")), 4)
      expect((yield* stored(ID)).status).toBe("scheduled")
      const now = yield* DateTime.now
      yield* fails
      expect(yield* stored(ID)).toMatchObject({
        status: "failed",
        statusReason: Option.some("Delivery failed 5 times."),
        attempts: 5,
        endedAt: Option.some(now)
      })
      expect(yield* events).toEqual([
        { _tag: "scheduled_message.updated", version: 1, scheduledMessageId: ID, authorId: ANN, status: "failed" }
      ])
      yield* TestClock.adjust("1 day")
      expect((yield* dispatch()).claimed).toBe(0)
    }).pipe(Effect.provide(world)))

  it.effect("does not keep others from being posted", () =>
    Effect.gen(function*() {
      yield* community
      yield* keep("1")
      yield* TestClock.adjust("1 hour")
      yield* fails
      yield* keep("2", { payload: saying("Still here") })
      expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
    }).pipe(Effect.provide(world)))

  it.effect("has posted nothing where the event log failed", () =>
    Effect.gen(function*() {
      yield* due
      expect(yield* whileEventLogFails(dispatch())).toEqual({ claimed: 1, done: 0, failed: 1 })
      expect(yield* posted).toEqual([])
      expect(yield* events).toEqual([])
      expect((yield* stored(ID)).status).toBe("scheduled")
    }).pipe(Effect.provide(world)))
})
