import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  AN_HOUR_LATER,
  eventsOf,
  inUtc,
  join,
  keep,
  plain,
  saying,
  scene,
  schedule,
  startPlus,
  stored,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { type ScheduledMessage, TimeZoneName } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { it } from "../World.ts"

const edit = ({ authorId, id }: Pick<ScheduledMessage, "authorId" | "id">, changes: Partial<Schedule>) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.edit(authorId, id, changes))

/** The fields of a message that could not be posted, all of which an edit clears. */
const TROUBLES = {
  statusReason: Option.some("The channel does not exist."),
  invalidatedAt: Option.some(startPlus("-2 hours")),
  attempts: 5,
  nextAttemptAt: Option.some(startPlus("-2 hours")),
  endedAt: Option.some(startPlus("-2 hours"))
}

describe("editing a scheduled message", () => {
  it("changes payload and channel and leaves the rest", function*() {
    const message = yield* schedule(yield* scene())
    const { guildId, id: channelId } = yield* Saved.channel()
    yield* join(guildId, message.authorId)
    const changes = { payload: saying("Good night"), channelId }
    const edited = yield* edit(message, changes)
    expect(plain(edited)).toEqual(plain({ ...message, ...changes }))
    expect(plain(yield* stored(message.id))).toEqual(plain(edited))
  })

  it("moves it to the instant of another local time", function*() {
    const message = yield* schedule(yield* scene())
    const at = startPlus("3 days")
    yield* edit(message, { scheduledLocalAt: inUtc(at).scheduledLocalAt })
    expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, ...inUtc(at), scheduledAt: at }))
  })

  it("moves it to the instant of its local time in another zone", function*() {
    const message = yield* schedule(yield* scene())
    const timezone = TimeZoneName.make("America/New_York")
    yield* edit(message, { timezone })
    expect(plain(yield* stored(message.id)))
      .toEqual(plain({ ...message, timezone, scheduledAt: DateTime.add(message.scheduledAt, { hours: 5 }) }))
  })

  it("ignores fields of the input that a schedule does not have", function*() {
    const at = yield* scene()
    const message = yield* schedule(at)
    const stranger = yield* Saved.user()
    const other = yield* keep(at, {
      ...TROUBLES,
      status: "failed",
      authorId: stranger.id,
      createdAt: startPlus("-9 days")
    })
    yield* edit(message, other)
    expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, payload: other.payload }))
  })

  it.each(
    [
      ["pending", {}],
      ["scheduled", { attempts: 4, nextAttemptAt: Option.some(startPlus("2 hours")) }],
      ["invalid", TROUBLES],
      ["failed", TROUBLES]
    ] as const
  )(
    "arms a message that is %s, with nothing left of earlier attempts, and appends one event",
    function*([status, troubles]) {
      const message = yield* keep(yield* scene(), { ...troubles, status })
      const payload = saying("Good night")
      expect(yield* eventsOf(edit(message, { payload }))).toEqual([updated(message, "scheduled")])
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
    }
  )

  it("fails for a message of another author, and for one that does not exist", function*() {
    const at = yield* scene()
    const message = yield* schedule(at)
    const stranger = yield* Saved.user()
    yield* join(at.channel.guildId, stranger.id)
    expect(yield* failureOf(edit({ ...message, authorId: stranger.id }, {}))).toMatchObject({
      _tag: "UnknownScheduledMessage",
      scheduledMessageId: message.id
    })
    const missing = Samples.scheduledMessage({ authorId: at.author.id })
    expect(yield* Effect.flip(edit(missing, {}))).toMatchObject({ _tag: "UnknownScheduledMessage" })
  })

  it("is rejected with the reason if the message cannot be delivered", function*() {
    const message = yield* schedule(yield* scene())
    expect(yield* failureOf(edit(message, { payload: saying("") }))).toMatchObject({
      _tag: "UndeliverableMessage",
      reason: "The message is empty."
    })
  })

  it("needs another time for a message that is invalid and whose time has passed", function*() {
    const message = yield* keep(yield* scene(), { ...TROUBLES, status: "invalid" })
    yield* Time.setTime(AN_HOUR_LATER.epochMillis)
    expect((yield* failureOf(edit(message, { payload: saying("Good night") })))._tag).toBe("ScheduledTimeOutOfRange")
    expect((yield* edit(message, inUtc(startPlus("2 hours")))).status).toBe("scheduled")
  })

  it("may change the payload of a message that is due but not posted yet", function*() {
    const message = yield* schedule(yield* scene())
    yield* Time.setTime(startPlus("2 hours").epochMillis)
    expect((yield* edit(message, { payload: saying("Good night") })).status).toBe("scheduled")
  })

  it("changes nothing when storage fails", function*() {
    const message = yield* keep(yield* scene(), { ...TROUBLES, status: "invalid" })
    expect((yield* failureOf(Faults.whileFailing("before commit")(edit(message, {}))))._tag).toBe("StorageError")
  })
})
