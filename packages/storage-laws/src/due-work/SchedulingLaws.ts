import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { LocalDateTime, TimeZoneName } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import * as FreshIds from "../FreshIds.ts"
import * as Faults from "./Faults.ts"
import {
  eventsOf,
  greeting,
  inUtc,
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
import * as Time from "./Time.ts"
import { refused } from "./WholeState.ts"
import { inOwnWorld, START } from "./World.ts"

/** What can not be posted, and what its author is told; the first channel is the one that is there. */
export const UNDELIVERABLE: ReadonlyArray<readonly [what: string, changes: Partial<Schedule>, reason: string]> = [
  ["a channel that is not there", { channelId: ChannelId.make("1") }, "The channel is gone."],
  ["nothing to say", { payload: saying(" \n") }, "The message is empty."],
  ["no content at all", { payload: MessagePayload.make({}) }, "The message is empty."],
  ["more content than allowed", { payload: saying("🦊".repeat(4001)) }, "The content is longer than 4000 characters."]
]

/** Local times that are hard to tell the instant of. */
const LOCAL_TIMES = [
  {
    what: "moves forward by the gap of an hour",
    local: "2027-03-28T02:30:00",
    zone: "Europe/Berlin",
    instant: "2027-03-28T01:30:00.000Z"
  },
  {
    what: "moves forward by the gap of half an hour",
    local: "2027-10-03T02:15",
    zone: "Australia/Lord_Howe",
    instant: "2027-10-02T15:45:00.000Z"
  },
  {
    what: "is the earlier of two an hour apart",
    local: "2027-10-31T02:30:00",
    zone: "Europe/Berlin",
    instant: "2027-10-31T00:30:00.000Z"
  },
  {
    what: "is the earlier of two half an hour apart",
    local: "2027-04-04T01:45",
    zone: "Australia/Lord_Howe",
    instant: "2027-04-03T14:45:00.000Z"
  },
  {
    what: "counts the half hour of the zone",
    local: "2027-06-01T09:00:00",
    zone: "Asia/Kolkata",
    instant: "2027-06-01T03:30:00.000Z"
  },
  {
    what: "counts the quarter hour of the zone",
    local: "2027-06-01T09:00:00",
    zone: "Asia/Kathmandu",
    instant: "2027-06-01T03:15:00.000Z"
  }
]

/** What decision 6 says of scheduling a message. */
export const schedulingLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("scheduling a message", () => {
    it.effect("keeps it as it was given, armed for the instant of its local time", () =>
      Effect.gen(function*() {
        const { author, channel } = yield* scene()
        const payload = saying("Good evening")
        const message = yield* schedule({ author, channel }, {
          scheduledLocalAt: LocalDateTime.make("2027-03-01T20:15:30.5"),
          timezone: TimeZoneName.make("Europe/Berlin"),
          payload
        })
        expect(plain(yield* stored(message.id))).toEqual(plain({
          id: message.id,
          authorId: author.id,
          channelId: channel.id,
          scheduledAt: DateTime.unsafeMake("2027-03-01T19:15:30.500Z"),
          scheduledLocalAt: LocalDateTime.make("2027-03-01T20:15:30.5"),
          timezone: TimeZoneName.make("Europe/Berlin"),
          status: "scheduled",
          statusReason: Option.none(),
          payload,
          createdAt: START,
          invalidatedAt: Option.none(),
          attempts: 0,
          nextAttemptAt: Option.none(),
          endedAt: Option.none()
        }))
      }).pipe(inWorld))

    it.effect("gives what it keeps", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        expect(plain(message)).toEqual(plain(yield* stored(message.id)))
      }).pipe(inWorld))

    it.effect("takes from what is given nothing but what a schedule names", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const old = yield* keep(at, {
          status: "failed",
          statusReason: Option.some("Delivery failed 5 times."),
          attempts: 5,
          nextAttemptAt: Option.some(startPlus("-1 hours")),
          endedAt: Option.some(startPlus("-1 hours")),
          invalidatedAt: Option.some(startPlus("-1 hours"))
        })
        const again = yield* (yield* ScheduledMessages).schedule(at.author.id, old)
        const plainly = yield* schedule(at, { payload: old.payload })
        expect(plain(again)).toEqual({ ...plain(plainly), id: again.id })
      }).pipe(inWorld))

    it.effect("is told in one event", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const told = yield* eventsOf(schedule(at))
        const [message] = yield* (yield* ScheduledMessages).list(at.author.id, [])
        expect(told).toEqual(message === undefined ? "no message" : [updated(message, "scheduled")])
      }).pipe(inWorld))

    it.effect.each(WITHIN_WINDOW)("is possible for %s", ([, at]) =>
      Effect.gen(function*() {
        expect((yield* schedule(yield* scene(), inUtc(at))).scheduledAt.epochMillis).toBe(at.epochMillis)
      }).pipe(inWorld))

    it.effect.each(OUTSIDE_WINDOW)("is refused for %s", ([, at]) =>
      Effect.gen(function*() {
        const { after, before, error } = yield* refused(schedule(yield* scene(), inUtc(at)))
        expect(error).toMatchObject({ _tag: "ScheduledTimeOutOfRange", scheduledAt: at })
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect.each(LOCAL_TIMES)(
      "keeps $local in $zone as given, and an instant that $what",
      ({ instant, local, zone }) =>
        Effect.gen(function*() {
          const scheduledLocalAt = LocalDateTime.make(local)
          const { id } = yield* schedule(yield* scene(), { scheduledLocalAt, timezone: TimeZoneName.make(zone) })
          const message = yield* stored(id)
          expect([message.scheduledLocalAt, message.timezone, DateTime.formatIso(message.scheduledAt)])
            .toEqual([local, zone, instant])
        }).pipe(inWorld)
    )

    it.effect.each(LOCAL_TIMES)(
      "is refused at the instant that $what",
      ({ instant, local, zone }) =>
        Effect.gen(function*() {
          const at = yield* scene()
          yield* Time.setTime(Date.parse(instant))
          const { error } = yield* refused(schedule(at, {
            scheduledLocalAt: LocalDateTime.make(local),
            timezone: TimeZoneName.make(zone)
          }))
          expect(error._tag).toBe("ScheduledTimeOutOfRange")
        }).pipe(inWorld)
    )

    it.effect.each(UNDELIVERABLE)(
      "with %s is refused with the reason",
      ([, changes, reason]) =>
        Effect.gen(function*() {
          const at = yield* scene()
          const { after, before, error } = yield* refused(schedule(at, changes))
          const channelId = changes.channelId ?? at.channel.id
          expect(error).toMatchObject({ _tag: "UndeliverableMessage", channelId, reason })
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )

    it.effect("in a guild that the author is not in is refused with the reason", () =>
      Effect.gen(function*() {
        const { author } = yield* scene()
        const { channel } = yield* scene()
        const { after, before, error } = yield* refused(schedule({ author, channel }))
        expect(error).toMatchObject({
          _tag: "UndeliverableMessage",
          channelId: channel.id,
          reason: "The author has no access to the channel."
        })
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect("by an account that is not there is refused", () =>
      Effect.gen(function*() {
        const { channel } = yield* scene()
        const nobody = UserId.make(FreshIds.snowflake())
        const { after, before, error } = yield* refused(
          Effect.flatMap(ScheduledMessages, (messages) => messages.schedule(nobody, greeting(channel.id)))
        )
        expect(error._tag).toBe("UndeliverableMessage")
        expect(after).toEqual(before)
      }).pipe(inWorld))

    it.effect.each(["events.append", "scheduledMessages.insert", "scheduledMessages.update", "before commit"] as const)(
      "leaves nothing behind when storage fails after %s",
      (step) =>
        Effect.gen(function*() {
          const { after, before, error } = yield* refused(Faults.whileFailing(step)(schedule(yield* scene())))
          expect(error._tag).toBe("StorageError")
          expect(after).toEqual(before)
        }).pipe(inWorld)
    )
  })
}
