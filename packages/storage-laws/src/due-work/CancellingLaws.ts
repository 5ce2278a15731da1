import type { UserId } from "@community-messaging/domain/account/User"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { UNDELIVERED } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import * as Saved from "../Saved.ts"
import * as Faults from "./Faults.ts"
import { AN_HOUR_LATER, dispatch, eventsOf, keep, plain, scene, schedule, startPlus, stored, updated } from "./Scene.ts"
import * as Time from "./Time.ts"
import { refused } from "./WholeState.ts"
import { inOwnWorld, START } from "./World.ts"

const cancel = (authorId: UserId, id: ScheduledMessageId) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))

/** What decision 6 says of cancelling a scheduled message. */
export const cancellingLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("cancelling a scheduled message", () => {
    it.effect.each(UNDELIVERED)("that is %s ends it for good", (status) =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), { status })
        yield* Time.adjust("10 minutes")
        yield* cancel(message.authorId, message.id)
        expect(plain(yield* stored(message.id)))
          .toEqual(plain({ ...message, status: "cancelled", endedAt: Option.some(startPlus("10 minutes")) }))
      }).pipe(inWorld))

    it.effect.each(UNDELIVERED)("that is %s is told in one event", (status) =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), { status })
        expect(yield* eventsOf(cancel(message.authorId, message.id))).toEqual([updated(message, "cancelled")])
      }).pipe(inWorld))

    it.effect("keeps it from being posted", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        yield* cancel(message.authorId, message.id)
        yield* Time.setTime(DateTime.toEpochMillis(AN_HOUR_LATER))
        expect(yield* dispatch()).toEqual({ claimed: 0, done: 0, failed: 0 })
      }).pipe(inWorld))

    it.effect.each(["sent", "cancelled"] as const)(
      "that was %s is refused and changes nothing",
      (status) =>
        Effect.gen(function*() {
          const message = yield* keep(yield* scene(), { status, endedAt: Option.some(START) })
          const { after, before, error } = yield* refused(cancel(message.authorId, message.id))
          expect(error).toMatchObject({ _tag: "IllegalScheduledMessageTransition", from: status, to: "cancelled" })
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )

    it.effect("of another author is unknown, and changes nothing", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        const stranger = yield* Saved.user()
        const { after, before, error } = yield* refused(cancel(stranger.id, message.id))
        expect(error).toMatchObject({ _tag: "UnknownScheduledMessage", scheduledMessageId: message.id })
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect.each(["events.append", "scheduledMessages.update", "before commit"] as const)(
      "leaves everything as it was when storage fails after %s",
      (step) =>
        Effect.gen(function*() {
          const message = yield* schedule(yield* scene())
          const { after, before, error } = yield* refused(
            Faults.whileFailing(step)(cancel(message.authorId, message.id))
          )
          expect(error._tag).toBe("StorageError")
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )
  })
}
