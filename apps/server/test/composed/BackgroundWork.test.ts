import { TokenDigest } from "@community-messaging/domain/access/Token"
import { isDeleted, type UserId } from "@community-messaging/domain/account/User"
import { UserUpdated } from "@community-messaging/domain/account/UserEvents"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import {
  LocalDateTime,
  type ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageUpdated } from "@community-messaging/domain/scheduled-message/ScheduledMessageEvents"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Chunk, type DateTime, type Duration, Effect, Layer, Option, TestClock } from "effect"
import * as Fixtures from "../http/Fixtures.ts"
import {
  atRest,
  composed,
  databaseOf,
  NOON,
  noonMinus,
  noonPlus,
  temporaryDirectory,
  within
} from "./ComposedServer.ts"

/** The number of steps of the background work. */
const KINDS_OF_WORK = 4

/** An account that may post into a channel. */
const author = Effect.gen(function*() {
  const { guild, user } = yield* Fixtures.botWithGuild
  const channel = yield* Fixtures.channel(guild.id)
  return { authorId: user.id, channelId: channel.id }
})

/** A message that is due at that time after noon. */
const dueAfter = (time: Duration.DurationInput) =>
  Effect.gen(function*() {
    const { authorId, channelId } = yield* author
    yield* Fixtures.scheduledMessage(authorId, { channelId, status: "scheduled", scheduledAt: noonPlus(time) })
    return channelId
  })

/** An account whose deletion is due at that time after noon. */
const leavingAfter = (time: Duration.DurationInput) =>
  Effect.map(
    Fixtures.person({}, (user) => ({ ...user, pendingDeletionAt: Option.some(noonPlus(time)) })),
    ({ id }) => id
  )

/** The number of posted messages, once there are any, at the latest after that time. */
const postedWithin = (time: Duration.DurationInput, channelId: ChannelId) =>
  Effect.flatMap(MessageRepository, ({ inChannel }) =>
    within(
      time,
      Effect.map(inChannel({ channelId, before: Option.none(), limit: 100 }), ({ length }) => length),
      (count) => count > 0
    ))

/** Whether the account is deleted within that time. */
const deletedWithin = (time: Duration.DurationInput, id: UserId) =>
  Effect.flatMap(
    UserRepository,
    ({ find }) => within(time, Effect.map(find(id), Option.exists(isDeleted)), (isGone) => isGone)
  )

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

/** The status of a pending message after its change, at the latest after a second. */
const statusWithin = (id: ScheduledMessageId) =>
  Effect.flatMap(
    ScheduledMessageRepository,
    ({ find }) =>
      within(
        "1 second",
        Effect.map(find(id), Option.map(({ status }) => status)),
        (status) => !Option.contains(status, "pending")
      )
  )

describe("a pending message", () => {
  it.scoped("from a time without a server is armed when one starts", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const id = yield* Effect.provide(pending, atRest({ DATA_DIR }))
      expect(yield* Effect.provide(statusWithin(id), composed({ DATA_DIR }))).toEqual(Option.some("scheduled"))
    }))

  it.scoped("is armed at once while the server runs", () =>
    Effect.gen(function*() {
      yield* asleep
      expect(yield* statusWithin(yield* pending)).toEqual(Option.some("scheduled"))
    }).pipe(Effect.provide(composed())))
})

describe("work that became due while no server ran", () => {
  it.scoped("a message is posted", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const channelId = yield* Effect.provide(dueAfter(0), atRest({ DATA_DIR }))
      expect(yield* Effect.provide(postedWithin(0, channelId), composed({ DATA_DIR }))).toBe(1)
    }))

  it.scoped("an account is deleted", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const id = yield* Effect.provide(leavingAfter(0), atRest({ DATA_DIR }))
      expect(yield* Effect.provide(deletedWithin(0, id), composed({ DATA_DIR }))).toBe(true)
    }))
})

describe("a server whose preparation fails", () => {
  it.scoped("does not begin its background work", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const channelId = yield* Effect.provide(dueAfter(0), atRest({ DATA_DIR }))
      const failure = yield* Effect.flip(Layer.build(composed({ DATA_DIR }, Effect.fail("a wrong line"))))
      expect(failure).toBe("a wrong line")
      expect(yield* Effect.provide(postedWithin(0, channelId), atRest({ DATA_DIR }))).toBe(0)
    }))
})

describe("work that becomes due while the server runs", () => {
  it.scoped("a message is posted at its time", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const channelId = yield* Effect.provide(dueAfter("20 minutes"), atRest({ DATA_DIR }))
      expect(yield* Effect.provide(postedWithin("30 minutes", channelId), composed({ DATA_DIR }))).toBe(1)
    }))

  it.scoped("an account is deleted at its time", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const id = yield* Effect.provide(leavingAfter("20 minutes"), atRest({ DATA_DIR }))
      expect(yield* Effect.provide(deletedWithin("30 minutes", id), composed({ DATA_DIR }))).toBe(true)
    }))

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

  it.scoped("an account is deleted at its time, also if there was no work when it was imported", () =>
    Effect.gen(function*() {
      yield* asleep
      const { atomically } = yield* UnitOfWork
      const { append } = yield* EventLog
      const id = yield* atomically(
        Effect.tap(
          leavingAfter("20 minutes"),
          (userId) => append(UserUpdated.make({ version: 1, userId, changed: [] }))
        )
      )
      expect(yield* deletedWithin("30 minutes", id)).toBe(true)
    }).pipe(Effect.provide(composed())))

  it.scoped("a message is posted later if the storage failed at its time", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const channelId = yield* dueAfter(0)
        yield* sql`CREATE TRIGGER busy BEFORE UPDATE ON scheduled_messages BEGIN SELECT RAISE(ABORT, 'busy'); END`
        yield* Effect.gen(function*() {
          yield* asleep
          yield* sql`DROP TRIGGER busy`
          expect(yield* postedWithin("10 seconds", channelId)).toBe(1)
        }).pipe(Effect.provide(composed({ DATA_DIR })))
      }).pipe(Effect.provide(Layer.provideMerge(databaseOf(DATA_DIR), atRest({ DATA_DIR }))))
    }))
})

/** Time for one removal of expired data, but not for two. */
const A_SWEEP = "15 minutes"

/** Whether an object still exists after a sweep. */
const isKept = <A, E, R>(found: Effect.Effect<Option.Option<A>, E, R>) =>
  within(A_SWEEP, Effect.map(found, Option.isSome), (kept) => !kept)

/** A scheduled message that ended at that time. */
const ended = (endedAt: DateTime.Utc) =>
  Effect.gen(function*() {
    const { authorId, channelId } = yield* author
    return yield* Fixtures.scheduledMessage(authorId, { channelId, status: "sent", endedAt: Option.some(endedAt) })
  })

/** Authorisation codes that expire at that time, numbered from `first`. */
const codes = (first: number, count: number, expiresAt: DateTime.Utc) =>
  Effect.gen(function*() {
    const { insertCode } = yield* ConsentRepository
    const { id: userId } = yield* Fixtures.person()
    const { id: applicationId } = yield* Fixtures.application([])
    const digests = Arrays.range(first, first + count - 1).map((number) =>
      TokenDigest.make(number.toString(16).padStart(64, "0"))
    )
    yield* Effect.forEach(digests, (digest) =>
      insertCode({
        digest,
        applicationId,
        userId,
        redirectUri: Option.none(),
        scopes: ["identify"],
        expiresAt,
        redeemedAt: Option.none()
      }))
    return digests
  })

/** The number of remaining codes, once it is the expected one, at the latest after a sweep. */
const left = (digests: ReadonlyArray<TokenDigest>, expected: number) =>
  Effect.flatMap(ConsentRepository, ({ findCode }) =>
    within(
      A_SWEEP,
      Effect.map(Effect.forEach(digests, findCode), (found) => Arrays.getSomes(found).length),
      (count) => count === expected
    ))

// Objects that must stay are stored first, so the sweep that removes the other one has seen them, too.
describe("expired data", () => {
  it.scoped("a scheduled message is removed when it ended more than 31 days ago", () =>
    Effect.gen(function*() {
      const { find } = yield* ScheduledMessageRepository
      const young = yield* ended(noonMinus("30 days"))
      const old = yield* ended(noonMinus("31 days"))
      expect([yield* isKept(find(old.id)), Option.isSome(yield* find(young.id))]).toEqual([false, true])
    }).pipe(Effect.provide(composed())))

  it.scoped("an authorisation code is removed when it has expired", () =>
    Effect.gen(function*() {
      const young = yield* codes(2, 1, noonPlus("1 hour"))
      const old = yield* codes(1, 1, noonMinus("1 second"))
      expect([yield* left(old, 0), yield* left(young, 1)]).toEqual([0, 1])
    }).pipe(Effect.provide(composed())))

  it.scoped("a delivery is removed when it arrived more than 24 hours ago", () =>
    Effect.gen(function*() {
      const { recordDelivery } = yield* WebhookRepository
      const { webhook } = yield* Fixtures.webhook
      const isForgotten = (deliveryId: string, receivedAt: DateTime.Utc) =>
        recordDelivery({ webhook, deliveryId, receivedAt, seenSince: noonMinus("365 days") })
      yield* isForgotten("young", noonMinus("23 hours"))
      yield* isForgotten("old", noonMinus("24 hours"))
      const old = yield* within(A_SWEEP, isForgotten("old", noonMinus("24 hours")), (forgotten) => forgotten)
      expect([old, yield* isForgotten("young", noonMinus("23 hours"))]).toEqual([true, false])
    }).pipe(Effect.provide(composed())))

  it.scoped("an event is removed after 31 days", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      yield* Effect.provide(Fixtures.webhook, atRest({ DATA_DIR }))
      yield* TestClock.adjust("1 days")
      yield* Effect.provide(Fixtures.webhook, atRest({ DATA_DIR }))
      yield* TestClock.adjust("30 days")
      yield* Effect.gen(function*() {
        const { read } = yield* EventLog
        const kept = yield* within(A_SWEEP, read(0, 10), ({ length }) => length < 2)
        expect(kept.map(({ occurredAt }) => occurredAt)).toEqual([noonPlus("1 day")])
      }).pipe(Effect.provide(composed({ DATA_DIR })))
    }))

  it.scoped("all of it is removed at once, in any amount", () =>
    Effect.gen(function*() {
      expect(yield* left(yield* codes(1, 45, NOON), 0)).toBe(0)
    }).pipe(Effect.provide(composed())))

  it.scoped("it is removed again and again", () =>
    Effect.gen(function*() {
      const first = yield* left(yield* codes(1, 1, NOON), 0)
      const second = yield* left(yield* codes(2, 1, NOON), 0)
      expect([first, second]).toEqual([0, 0])
    }).pipe(Effect.provide(composed())))
})
