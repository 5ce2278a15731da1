import type { UserId } from "@community-messaging/domain/account/User"
import {
  type ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { UNDELIVERED } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import * as FreshIds from "../FreshIds.ts"
import * as Saved from "../Saved.ts"
import * as Faults from "./Faults.ts"
import {
  AN_HOUR_LATER,
  dispatch,
  eventsOf,
  inUtc,
  join,
  keep,
  OUTSIDE_WINDOW,
  plain,
  saying,
  scene,
  schedule,
  startPlus,
  stored,
  updated,
  WITHIN_WINDOW
} from "./Scene.ts"
import { UNDELIVERABLE } from "./SchedulingLaws.ts"
import * as Time from "./Time.ts"
import { refused } from "./WholeState.ts"
import { inOwnWorld, START } from "./World.ts"

const IN_TROUBLE = ["invalid", "failed"] as const

const edit = (authorId: UserId, id: ScheduledMessageId, changes: Partial<Schedule>) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.edit(authorId, id, changes))

/** A message that ended badly: everything is set that beginning afresh clears. */
const troubled = (status: "invalid" | "failed"): Partial<ScheduledMessage> => ({
  status,
  statusReason: Option.some("The channel is gone."),
  invalidatedAt: Option.some(startPlus("-2 hours")),
  attempts: 5,
  nextAttemptAt: Option.some(startPlus("-2 hours")),
  endedAt: Option.some(startPlus("-2 hours"))
})

/** What decision 6 says of editing a scheduled message. */
export const editingLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("editing a scheduled message", () => {
    it.effect("changes its payload and leaves the rest", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        const payload = saying("Good night")
        yield* edit(message.authorId, message.id, { payload })
        expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, payload }))
      }).pipe(inWorld))

    it.effect("changes its channel and leaves the rest", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        const { guildId, id: channelId } = yield* Saved.channel()
        yield* join(guildId, message.authorId)
        yield* edit(message.authorId, message.id, { channelId })
        expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, channelId }))
      }).pipe(inWorld))

    it.effect("moves it to the instant of another local time", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        const at = startPlus("3 days")
        yield* edit(message.authorId, message.id, { scheduledLocalAt: inUtc(at).scheduledLocalAt })
        expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, ...inUtc(at), scheduledAt: at }))
      }).pipe(inWorld))

    it.effect("moves it to the instant of its local time in another zone", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        const timezone = TimeZoneName.make("America/New_York")
        yield* edit(message.authorId, message.id, { timezone })
        expect(plain(yield* stored(message.id)))
          .toEqual(plain({ ...message, timezone, scheduledAt: DateTime.add(message.scheduledAt, { hours: 5 }) }))
      }).pipe(inWorld))

    it.effect("gives what it keeps", () =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), troubled("failed"))
        const edited = yield* edit(message.authorId, message.id, { payload: saying("Good night") })
        expect(plain(edited)).toEqual(plain(yield* stored(message.id)))
      }).pipe(inWorld))

    it.effect("takes from what is given nothing but what a schedule names", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at)
        const stranger = yield* Saved.user()
        const other = yield* keep(at, { ...troubled("failed"), authorId: stranger.id, createdAt: startPlus("-9 days") })
        yield* edit(message.authorId, message.id, other)
        expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, payload: other.payload }))
      }).pipe(inWorld))

    it.effect.each(IN_TROUBLE)("that is %s lets it begin afresh, armed", (status) =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), troubled(status))
        const payload = saying("Good night")
        yield* edit(message.authorId, message.id, { payload })
        expect(plain(yield* stored(message.id))).toEqual(plain({
          ...message,
          payload,
          status: "scheduled",
          statusReason: Option.none(),
          invalidatedAt: Option.none(),
          attempts: 0,
          nextAttemptAt: Option.none(),
          endedAt: Option.none()
        }))
      }).pipe(inWorld))

    it.effect.each(IN_TROUBLE)("that is %s has it posted at its time after all", (status) =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), troubled(status))
        yield* edit(message.authorId, message.id, {})
        yield* Time.setTime(DateTime.toEpochMillis(AN_HOUR_LATER))
        yield* dispatch()
        expect((yield* stored(message.id)).status).toBe("sent")
      }).pipe(inWorld))

    it.effect("that is pending arms it", () =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), { status: "pending" })
        yield* edit(message.authorId, message.id, {})
        expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, status: "scheduled" }))
      }).pipe(inWorld))

    it.effect("that waits for another attempt lets it begin its attempts afresh", () =>
      Effect.gen(function*() {
        const waiting = { attempts: 4, nextAttemptAt: Option.some(startPlus("2 hours")) }
        const message = yield* keep(yield* scene(), waiting)
        yield* edit(message.authorId, message.id, {})
        expect(plain(yield* stored(message.id)))
          .toEqual(plain({ ...message, attempts: 0, nextAttemptAt: Option.none() }))
      }).pipe(inWorld))

    it.effect.each(UNDELIVERED)("that is %s is told in one event", (status) =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), { status })
        expect(yield* eventsOf(edit(message.authorId, message.id, {}))).toEqual([updated(message, "scheduled")])
      }).pipe(inWorld))

    it.effect.each(["sent", "cancelled"] as const)(
      "that was %s is refused and changes nothing",
      (status) =>
        Effect.gen(function*() {
          const message = yield* keep(yield* scene(), { status, endedAt: Option.some(START) })
          const { after, before, error } = yield* refused(
            edit(message.authorId, message.id, { payload: saying("Good night") })
          )
          expect(error).toMatchObject({
            _tag: "IllegalScheduledMessageTransition",
            scheduledMessageId: message.id,
            from: status
          })
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )

    it.effect("of another author is unknown, and changes nothing", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at)
        const stranger = yield* Saved.user()
        yield* join(at.channel.guildId, stranger.id)
        const { after, before, error } = yield* refused(edit(stranger.id, message.id, { payload: saying("Mine") }))
        expect(error).toMatchObject({ _tag: "UnknownScheduledMessage", scheduledMessageId: message.id })
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect("that is not there is unknown", () =>
      Effect.gen(function*() {
        const { author } = yield* scene()
        const id = ScheduledMessageId.make(FreshIds.snowflake())
        expect(yield* Effect.flip(edit(author.id, id, {})))
          .toMatchObject({ _tag: "UnknownScheduledMessage", scheduledMessageId: id })
      }).pipe(inWorld))

    it.effect.each(UNDELIVERABLE)(
      "to %s is refused with the reason and changes nothing",
      ([, changes, reason]) =>
        Effect.gen(function*() {
          const message = yield* schedule(yield* scene())
          const { after, before, error } = yield* refused(edit(message.authorId, message.id, changes))
          expect(error).toMatchObject({ _tag: "UndeliverableMessage", reason })
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )

    it.effect("that is invalid is refused as long as it can not be posted, and leaves it invalid", () =>
      Effect.gen(function*() {
        const message = yield* keep(yield* scene(), { ...troubled("invalid"), payload: saying("") })
        const { after, before, error } = yield* refused(edit(message.authorId, message.id, {}))
        expect(error).toMatchObject({ _tag: "UndeliverableMessage", reason: "The message is empty." })
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect.each(WITHIN_WINDOW)("to %s is possible", ([, at]) =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        yield* edit(message.authorId, message.id, inUtc(at))
        expect(DateTime.formatIso((yield* stored(message.id)).scheduledAt)).toBe(DateTime.formatIso(at))
      }).pipe(inWorld))

    it.effect.each(OUTSIDE_WINDOW)("to %s is refused and changes nothing", ([, at]) =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        const { after, before, error } = yield* refused(edit(message.authorId, message.id, inUtc(at)))
        expect(error._tag).toBe("ScheduledTimeOutOfRange")
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect.each(IN_TROUBLE)(
      "that is %s needs another time once its own has come",
      (status) =>
        Effect.gen(function*() {
          const message = yield* keep(yield* scene(), troubled(status))
          yield* Time.setTime(DateTime.toEpochMillis(message.scheduledAt))
          const { error } = yield* refused(edit(message.authorId, message.id, { payload: saying("Good night") }))
          expect(error._tag).toBe("ScheduledTimeOutOfRange")
          expect((yield* edit(message.authorId, message.id, inUtc(startPlus("2 hours")))).status).toBe("scheduled")
        }).pipe(inWorld)
    )

    it.effect("whose time has come but was not posted yet can still change what it says", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at)
        yield* Time.setTime(DateTime.toEpochMillis(startPlus("2 hours")))
        yield* edit(message.authorId, message.id, { payload: saying("Good night") })
        yield* dispatch()
        expect((yield* stored(message.id)).status).toBe("sent")
      }).pipe(inWorld))

    it.effect.each(["events.append", "scheduledMessages.update", "before commit"] as const)(
      "leaves everything as it was when storage fails after %s",
      (step) =>
        Effect.gen(function*() {
          const message = yield* keep(yield* scene(), troubled("invalid"))
          const { after, before, error } = yield* refused(
            Faults.whileFailing(step)(edit(message.authorId, message.id, { payload: saying("Good night") }))
          )
          expect(error._tag).toBe("StorageError")
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )
  })
}
