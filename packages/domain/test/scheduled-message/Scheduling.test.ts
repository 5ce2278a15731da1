import * as Saved from "@community-messaging/domain-contract/Saved"
import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  AN_HOUR_LATER,
  eventsOf,
  inUtc,
  keep,
  plain,
  saying,
  scene,
  schedule,
  startPlus,
  stored,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { LocalDateTime, TimeZoneName } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { UNDELIVERED } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, DateTime, Effect, Option } from "effect"
import { it } from "../World.ts"

/** Cases in which a message cannot be delivered: a name, the change that causes it, and the reason for the author. */
const UNDELIVERABLE: ReadonlyArray<
  readonly [what: string, change: Effect.Effect<Partial<Schedule>, unknown, StoragePorts>, reason: string]
> = [
  ["the channel does not exist", Effect.succeed({ channelId: ChannelId.make("1") }), "The channel does not exist."],
  [
    "the author is not in the guild",
    Effect.map(Saved.channel(), ({ id }) => ({ channelId: id })),
    "The author has no access to the channel."
  ],
  ["the message is empty", Effect.succeed({ payload: saying(" \n") }), "The message is empty."],
  [
    "the message breaks a limit",
    Effect.succeed({ payload: saying("x".repeat(4001)) }),
    "The content is longer than 4000 characters."
  ]
]

describe("scheduling a message", () => {
  it("stores it as given, armed for the instant of its local time", function*() {
    const { author, channel } = yield* scene()
    const payload = saying("Good evening")
    const message = yield* schedule({ author, channel }, {
      scheduledLocalAt: LocalDateTime.make("2027-03-01T20:15:30.5"),
      timezone: TimeZoneName.make("Europe/Berlin"),
      payload
    })
    expect(plain(message)).toEqual(plain({
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
    expect(plain(yield* stored(message.id))).toEqual(plain(message))
  })

  it("ignores fields of the input that a schedule does not have", function*() {
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
  })

  it("appends one event", function*() {
    const at = yield* scene()
    const told = yield* eventsOf(schedule(at))
    const [message] = yield* (yield* ScheduledMessages).list(at.author.id, [])
    expect(told).toEqual(message === undefined ? "no message" : [updated(message, "scheduled")])
  })

  it("fails for a time outside the window, and changes nothing", function*() {
    const at = yield* scene()
    expect(yield* failureOf(schedule(at, inUtc(START)))).toMatchObject({
      _tag: "ScheduledTimeOutOfRange",
      scheduledAt: START
    })
  })

  it.each(UNDELIVERABLE)("is rejected with the reason if %s", function*([, change, reason]) {
    const at = yield* scene()
    const changes = yield* change
    expect(yield* failureOf(schedule(at, changes))).toMatchObject({ _tag: "UndeliverableMessage", reason })
  })

  it("changes nothing when storage fails", function*() {
    const at = yield* scene()
    expect((yield* failureOf(Faults.whileFailing("before commit")(schedule(at))))._tag).toBe("StorageError")
  })
})

describe("an author", () => {
  it("may have a hundred undelivered messages; those of others and delivered ones do not count", function*() {
    const [at, other] = [yield* scene(), yield* scene()]
    yield* Effect.forEach(
      Arrays.range(1, 99),
      (number) => keep(at, { status: UNDELIVERED[number % UNDELIVERED.length] ?? "pending" })
    )
    yield* keep(at, { status: "sent", endedAt: Option.some(START) })
    yield* keep(at, { status: "cancelled", endedAt: Option.some(START) })
    yield* keep(other)
    expect((yield* schedule(at)).scheduledAt).toEqual(AN_HOUR_LATER)
    expect(yield* failureOf(schedule(at))).toMatchObject({
      _tag: "TooManyScheduledMessages",
      authorId: at.author.id,
      maximum: 100
    })
  })
})
