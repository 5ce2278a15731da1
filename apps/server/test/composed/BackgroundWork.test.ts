import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { LocalDateTime, TimeZoneName } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageUpdated } from "@community-messaging/domain/scheduled-message/ScheduledMessageEvents"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, type Duration, Effect, Layer, Option, TestClock } from "effect"
import * as Fixtures from "../http/Fixtures.ts"
import { atRest, composed, NOON, noonPlus, temporaryDirectory, within } from "./ComposedServer.ts"

// The rules of background work are tested in the domain. These tests are of the running server: that it does the work, and
// that commits of its storage wake it.

/** The number of steps of the background work. */
const KINDS_OF_WORK = 4

/** An account that may post into a channel. */
const author = Effect.gen(function*() {
  const { guild, user } = yield* Fixtures.botWithGuild
  const channel = yield* Fixtures.channel(guild.id)
  return { authorId: user.id, channelId: channel.id }
})

/** The number of posted messages, once there are any, at the latest after that time. */
const postedWithin = (time: Duration.DurationInput, channelId: ChannelId) =>
  Effect.flatMap(MessageRepository, ({ inChannel }) =>
    within(
      time,
      Effect.map(inChannel({ channelId, before: Option.none(), limit: 100 }), ({ length }) => length),
      (count) => count > 0
    ))

/** Waits until a started server has no work. */
const asleep = within(0, TestClock.sleeps(), (sleeps) => Chunk.size(sleeps) >= KINDS_OF_WORK)

/** A pending message, as from an import. */
const pending = Effect.gen(function*() {
  const { authorId, channelId } = yield* author
  const { append } = yield* EventLog
  const { atomically } = yield* UnitOfWork
  return yield* atomically(Effect.gen(function*() {
    const message = yield* Fixtures.scheduledMessage(authorId, {
      channelId,
      status: "pending",
      scheduledAt: noonPlus("1 day")
    })
    yield* append(ScheduledMessageUpdated.make({
      version: 1,
      scheduledMessageId: message.id,
      authorId,
      status: "pending"
    }))
    return message.id
  }))
})

describe("a server whose preparation fails", () => {
  it.scoped("does not begin its background work", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const due = Effect.gen(function*() {
        const { authorId, channelId } = yield* author
        yield* Fixtures.scheduledMessage(authorId, { channelId, status: "scheduled", scheduledAt: NOON })
        return channelId
      })
      const channelId = yield* Effect.provide(due, atRest({ DATA_DIR }))
      const failure = yield* Effect.flip(Layer.build(composed({ DATA_DIR }, Effect.fail("a wrong line"))))
      expect(failure).toBe("a wrong line")
      expect(yield* Effect.provide(postedWithin(0, channelId), atRest({ DATA_DIR }))).toBe(0)
    }))
})

describe("while the server runs", () => {
  it.scoped("a pending message is armed at once", () =>
    Effect.gen(function*() {
      yield* asleep
      const id = yield* pending
      const { find } = yield* ScheduledMessageRepository
      const status = yield* within(
        "1 second",
        Effect.map(find(id), Option.map((message) => message.status)),
        (now) => !Option.contains(now, "pending")
      )
      expect(status).toEqual(Option.some("scheduled"))
    }).pipe(Effect.provide(composed())))

  it.scoped("a message is posted at its time, also if there was no work when it was scheduled", () =>
    Effect.gen(function*() {
      yield* asleep
      const { authorId, channelId } = yield* author
      const { schedule } = yield* ScheduledMessages
      yield* schedule(authorId, {
        channelId,
        scheduledLocalAt: LocalDateTime.make("2027-03-01T12:20:00"),
        timezone: TimeZoneName.make("UTC"),
        payload: MessagePayload.make({ content: Option.some("hello") })
      })
      expect(yield* postedWithin("30 minutes", channelId)).toBe(1)
    }).pipe(Effect.provide(composed())))
})
