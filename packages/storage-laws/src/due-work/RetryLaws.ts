import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, DateTime, Effect, type Layer, Option, Random } from "effect"
import * as Faults from "./Faults.ts"
import {
  AN_HOUR_LATER,
  contents,
  dispatch,
  eventsOf,
  plain,
  posted,
  saying,
  scene,
  schedule,
  stored,
  updated
} from "./Scene.ts"
import * as Time from "./Time.ts"
import { everything } from "./WholeState.ts"
import { inOwnWorld } from "./World.ts"

const NOTHING_DUE = { claimed: 0, done: 0, failed: 0 }
const FAILED = { claimed: 1, done: 0, failed: 1 }

/** Posts what is due while posting fails. */
const failing = Faults.whileFailing("messages.insert")

/** What chance says, from 0 to 1, and the seconds from each attempt to the next. */
const CHANCES = [
  { random: 0, seconds: [0.5, 1, 2, 4] },
  { random: 0.5, seconds: [1, 2, 4, 8] },
  { random: 0.999, seconds: [1.499, 2.998, 5.996, 11.992] }
]

/** Where an attempt may fail, within its transaction. */
const STEPS: ReadonlyArray<Faults.Step> = [
  "guilds.findChannel",
  "messages.insert",
  "events.append",
  "scheduledMessages.update",
  "before commit"
]

const untilDue = Time.setTime(DateTime.toEpochMillis(AN_HOUR_LATER))

/** A message whose time has come. */
const dueMessage = Effect.gen(function*() {
  const at = yield* scene()
  const message = yield* schedule(at)
  yield* untilDue
  return { ...at, message }
})

/** The moment of the next attempt, in Unix milliseconds. */
const nextAttempt = (message: ScheduledMessage): number =>
  DateTime.toEpochMillis(Option.getOrThrow(message.nextAttemptAt))

/** Fails to post the message that many times, each time when it is due. */
const failTimes = ({ message }: { readonly message: ScheduledMessage }, times: number) =>
  Effect.forEach(Arrays.range(1, times), () =>
    Effect.gen(function*() {
      yield* failing(dispatch())
      const { nextAttemptAt } = yield* stored(message.id)
      if (Option.isSome(nextAttemptAt)) yield* Time.setTime(DateTime.toEpochMillis(nextAttemptAt.value))
    }), { discard: true })

/** What decision 6 says of attempts at posting a message that fail. */
export const retryLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("an attempt at posting a message that fails", () => {
    it.effect("leaves nothing behind but its number and the moment of the next", () =>
      Effect.gen(function*() {
        const { message } = yield* dueMessage
        const before = yield* everything
        expect(yield* failing(dispatch())).toEqual(FAILED)
        const { nextAttemptAt } = yield* stored(message.id)
        expect(Option.isSome(nextAttemptAt)).toBe(true)
        expect(yield* everything)
          .toEqual({ ...before, scheduledMessages: [plain({ ...message, attempts: 1, nextAttemptAt })] })
      }).pipe(inWorld))

    it.effect.each([1, 2, 3, 4])(
      "is followed by another after an exponential time with jitter: attempt %i",
      (attempt) =>
        Effect.gen(function*() {
          const due = yield* dueMessage
          if (attempt > 1) yield* failTimes(due, attempt - 1)
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          yield* failing(dispatch())
          const after = yield* stored(due.message.id)
          const waits = nextAttempt(after) - now
          const exponential = 1000 * 2 ** (attempt - 1)
          expect(after.attempts).toBe(attempt)
          expect(waits).toBeGreaterThanOrEqual(exponential * 0.5)
          expect(waits).toBeLessThanOrEqual(exponential * 1.5)
          expect(Number.isInteger(waits)).toBe(true)
        }).pipe(inWorld)
    )

    it.effect.each(CHANCES)(
      "is followed by another after exactly $seconds seconds where chance says $random",
      ({ random, seconds }) =>
        Effect.gen(function*() {
          const { message } = yield* dueMessage
          const waits = yield* Effect.forEach(seconds, () =>
            Effect.gen(function*() {
              const now = DateTime.toEpochMillis(yield* DateTime.now)
              yield* failing(dispatch())
              const next = nextAttempt(yield* stored(message.id))
              yield* Time.setTime(next)
              return (next - now) / 1000
            }))
          expect(waits).toEqual(seconds)
        }).pipe(Effect.withRandom(Random.fixed([random])), inWorld)
    )

    it.effect("is not followed by another at the same moment for all that failed together", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const messages = yield* Effect.replicateEffect(schedule(at), 10)
        yield* untilDue
        yield* failing(dispatch())
        const moments = yield* Effect.forEach(messages, ({ id }) => Effect.map(stored(id), nextAttempt))
        expect(new Set(moments).size).toBeGreaterThan(5)
      }).pipe(Effect.withRandom(Random.make("jitter")), inWorld))

    it.effect("is not followed by another a millisecond before its time, but at it", () =>
      Effect.gen(function*() {
        const { channel, message } = yield* dueMessage
        yield* failing(dispatch())
        const next = nextAttempt(yield* stored(message.id))
        expect(Option.map(yield* (yield* ScheduledMessageRepository).nextDueAt, DateTime.toEpochMillis))
          .toEqual(Option.some(next))
        yield* Time.setTime(next - 1)
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        yield* Time.setTime(next)
        expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
        expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
      }).pipe(inWorld))

    it.effect.each([1, 2, 3, 4])(
      "is made good by the next, which posts the message once: after %i",
      (attempts) =>
        Effect.gen(function*() {
          const due = yield* dueMessage
          yield* failTimes(due, attempts)
          yield* dispatch()
          yield* Time.adjust("1 day")
          yield* dispatch()
          expect(yield* contents(due.channel.id)).toEqual(["Good afternoon"])
          expect(yield* stored(due.message.id)).toMatchObject({ status: "sent", attempts, statusReason: Option.none() })
        }).pipe(inWorld)
    )

    it.effect("is the last when it is the fifth: the message has failed, and its author is told why", () =>
      Effect.gen(function*() {
        const due = yield* dueMessage
        yield* failTimes(due, 4)
        const endedAt = yield* DateTime.now
        const told = yield* eventsOf(failing(dispatch()))
        expect(told).toEqual([updated(due.message, "failed")])
        expect(yield* stored(due.message.id)).toMatchObject({
          status: "failed",
          statusReason: Option.some("Delivery failed 5 times."),
          attempts: 5,
          endedAt: Option.some(endedAt),
          invalidatedAt: Option.none()
        })
      }).pipe(inWorld))

    it.effect("is not followed by a sixth", () =>
      Effect.gen(function*() {
        const due = yield* dueMessage
        yield* failTimes(due, 5)
        yield* Time.adjust("30 days")
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        expect(yield* posted(due.channel.id)).toEqual([])
      }).pipe(inWorld))

    it.effect("does not keep others from being posted", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* Effect.forEach(["1", "2", "3"], (content) => schedule(at, { payload: saying(content) }))
        yield* untilDue
        yield* Faults.stricken("fails", (step) => step === "messages.insert")(dispatch())
        expect((yield* contents(at.channel.id)).length).toBe(2)
      }).pipe(inWorld))

    it.effect.each(STEPS)("posts nothing, wherever it failed: after %s", (step) =>
      Effect.gen(function*() {
        const { channel, message } = yield* dueMessage
        yield* Faults.stricken("fails", (now) => now === step)(dispatch())
        expect(yield* posted(channel.id)).toEqual([])
        expect(yield* stored(message.id)).toMatchObject({ status: "scheduled", attempts: 1 })
      }).pipe(inWorld))

    it.effect("is counted as well when it is the server's own fault", () =>
      Effect.gen(function*() {
        const { message } = yield* dueMessage
        yield* Faults.stricken("dies", (step) => step === "messages.insert")(dispatch())
        expect(yield* stored(message.id)).toMatchObject({ status: "scheduled", attempts: 1 })
      }).pipe(inWorld))

    it.effect("is not counted while storage is out of reach: the message comes again when the lease ends", () =>
      Effect.gen(function*() {
        const { channel, message } = yield* dueMessage
        const outOfReach = Faults.whileFailing("scheduledMessages.find", "before commit")
        expect(yield* outOfReach(dispatch())).toEqual(FAILED)
        expect(plain(yield* stored(message.id))).toEqual(plain(message))
        yield* Time.adjust(29_999)
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        yield* Time.adjust("1 millis")
        yield* dispatch()
        expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
      }).pipe(inWorld))

    it.effect("is not made where storage can not even be asked for what is due", () =>
      Effect.gen(function*() {
        const { message } = yield* dueMessage
        const error = yield* Effect.flip(Faults.whileFailing("scheduledMessages.claimDue")(dispatch()))
        expect(error._tag).toBe("StorageError")
        expect(plain(yield* stored(message.id))).toEqual(plain(message))
      }).pipe(inWorld))

    it.effect("is not an attempt that was made good already when it is told late that it failed", () =>
      Effect.gen(function*() {
        const { channel, message } = yield* dueMessage
        yield* Faults.stricken("fails", (step) => step === "after commit")(dispatch())
        expect(yield* stored(message.id)).toMatchObject({ status: "sent", attempts: 0 })
        expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
      }).pipe(inWorld))
  })
}
