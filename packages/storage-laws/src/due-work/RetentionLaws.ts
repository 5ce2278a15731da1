import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import { AN_HOUR_LATER, contents, dispatch, inUtc, keep, removeExpired, scene, schedule, startPlus } from "./Scene.ts"
import * as Time from "./Time.ts"
import { inOwnWorld, START } from "./World.ts"

const AFTER_31_DAYS = startPlus("31 days")

const list = (authorId: ScheduledMessage["authorId"], status: ScheduledMessage["status"]) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.list(authorId, [status]))

/** What decision 6 says of how long messages are kept that came to an end. */
export const retentionLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("a scheduled message that ended", () => {
    it.effect.each(["sent", "cancelled", "invalid", "failed"] as const)(
      "as %s is kept for 31 days to the millisecond, and then removed",
      (status) =>
        Effect.gen(function*() {
          const at = yield* scene()
          yield* keep(at, { status, endedAt: Option.some(START) })
          yield* Time.setTime(DateTime.toEpochMillis(AFTER_31_DAYS))
          expect(yield* removeExpired()).toBe(0)
          expect((yield* list(at.author.id, status)).length).toBe(1)
          yield* Time.adjust("1 millis")
          expect(yield* removeExpired()).toBe(1)
          expect(yield* list(at.author.id, status)).toEqual([])
        }).pipe(inWorld)
    )

    it.effect("counts from its end, not from its schedule", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at, inUtc(startPlus("200 days")))
        yield* Time.adjust("100 days")
        yield* (yield* ScheduledMessages).cancel(at.author.id, message.id)
        yield* Time.adjust("31 days")
        expect(yield* removeExpired()).toBe(0)
        yield* Time.adjust("1 millis")
        expect(yield* removeExpired()).toBe(1)
      }).pipe(inWorld))

    it.effect("leaves what it posted when it is removed", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* schedule(at)
        yield* Time.setTime(DateTime.toEpochMillis(AN_HOUR_LATER))
        yield* dispatch()
        yield* Time.adjust("32 days")
        expect(yield* removeExpired()).toBe(1)
        expect(yield* contents(at.channel.id)).toEqual(["Good afternoon"])
      }).pipe(inWorld))

    it.effect("and then began afresh is not removed", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* keep(at, { status: "failed", endedAt: Option.some(START) })
        yield* Time.adjust("10 minutes")
        yield* (yield* ScheduledMessages).edit(at.author.id, message.id, inUtc(startPlus("100 days")))
        yield* Time.adjust("90 days")
        expect(yield* removeExpired()).toBe(0)
      }).pipe(inWorld))

    it.effect("is unknown to its author once it is removed", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const { id } = yield* keep(at, { status: "invalid", endedAt: Option.some(START) })
        yield* Time.adjust("32 days")
        yield* removeExpired()
        const messages = yield* ScheduledMessages
        expect((yield* Effect.flip(messages.edit(at.author.id, id, {})))._tag).toBe("UnknownScheduledMessage")
      }).pipe(inWorld))

    it.effect("is removed with at most as many others as asked for", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* Effect.replicateEffect(keepEnded(at), 3)
        yield* Time.adjust("32 days")
        expect([yield* removeExpired(2), yield* removeExpired(2), yield* removeExpired(2)]).toEqual([2, 1, 0])
      }).pipe(inWorld))
  })

  it.effect("a scheduled message that has not ended is never removed, however old it is", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      yield* keep(at, { status: "pending" })
      yield* Time.adjust("1000 days")
      expect(yield* removeExpired()).toBe(0)
    }).pipe(inWorld))
}

const keepEnded = (at: Parameters<typeof keep>[0]) =>
  Effect.suspend(() => keep(at, { status: "cancelled", endedAt: Option.some(START) }))
