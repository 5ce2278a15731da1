import {
  MAX_UNDELIVERED_PER_USER,
  type ScheduledMessage
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { UNDELIVERED } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Either, type Layer, Option } from "effect"
import { dispatch, inUtc, keep, type Scene, scene, schedule, startPlus } from "./Scene.ts"
import * as Time from "./Time.ts"
import { refused } from "./WholeState.ts"
import { inOwnWorld, START } from "./World.ts"

/** Keeps that many undelivered messages of the author's, in all statuses that count. */
export const undelivered = (at: Scene, count: number) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) =>
    atomically(Effect.forEach(
      Arrays.range(1, count),
      (number) => keep(at, { status: UNDELIVERED[number % UNDELIVERED.length] ?? "pending" })
    )))

/** What decision 6 says of how many messages an account may have undelivered. */
export const undeliveredLimitLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("the limit of undelivered messages", () => {
    it.effect("lets an author have a hundred", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* undelivered(at, 99)
        yield* schedule(at)
        expect((yield* (yield* ScheduledMessages).list(at.author.id, [])).length).toBe(MAX_UNDELIVERED_PER_USER)
      }).pipe(inWorld))

    it.effect("refuses one more, whatever statuses the others are in, and changes nothing", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* undelivered(at, 100)
        const { after, before, error } = yield* refused(schedule(at))
        expect(error).toMatchObject({ _tag: "TooManyScheduledMessages", authorId: at.author.id, maximum: 100 })
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect("does not count what was sent or cancelled", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* undelivered(at, 99)
        yield* keep(at, { status: "sent", endedAt: Option.some(START) })
        yield* keep(at, { status: "cancelled", endedAt: Option.some(START) })
        expect((yield* schedule(at)).status).toBe("scheduled")
      }).pipe(inWorld))

    it.effect("does not count another author's messages", () =>
      Effect.gen(function*() {
        const [at, other] = [yield* scene(), yield* scene()]
        yield* undelivered(other, 100)
        expect((yield* schedule(at)).status).toBe("scheduled")
      }).pipe(inWorld))

    it.effect("has room again for each message that is cancelled", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const all: ReadonlyArray<ScheduledMessage> = yield* undelivered(at, 100)
        yield* Effect.forEach(
          all.slice(0, 4),
          ({ id }) => Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(at.author.id, id))
        )
        yield* Effect.replicateEffect(schedule(at), 4)
        expect((yield* Effect.flip(schedule(at)))._tag).toBe("TooManyScheduledMessages")
      }).pipe(inWorld))

    it.effect("has room again for each message that is sent", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* undelivered(at, 99)
        yield* schedule(at, inUtc(startPlus("1 second")))
        yield* Time.adjust("1 second")
        yield* dispatch()
        yield* schedule(at)
        expect((yield* Effect.flip(schedule(at)))._tag).toBe("TooManyScheduledMessages")
      }).pipe(inWorld))

    it.effect("holds when many messages are scheduled at a time", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* undelivered(at, 80)
        const outcomes = yield* Effect.replicateEffect(Effect.either(schedule(at)), 40, { concurrency: "unbounded" })
        expect(outcomes.filter(Either.isRight).length).toBe(20)
      }).pipe(inWorld))
  })
}
