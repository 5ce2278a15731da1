import { isDeleted, type UserId } from "@community-messaging/domain/account/User"
import { UserUpdated } from "@community-messaging/domain/account/UserEvents"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ScheduledMessageUpdated } from "@community-messaging/domain/scheduled-message/ScheduledMessageEvents"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, type Duration, Effect, Option } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { besideLive, composedLive } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"

/*
 * The background work of a server on PostgreSQL, for changes of another process without background work: in real time,
 * because the database has its own clock. The steps are the same on all storages
 * (`test/composed/BackgroundWork.test.ts`).
 */

const TIMEOUT = 120_000

const soon = (time: Duration.DurationInput) => Effect.map(DateTime.now, (now) => DateTime.addDuration(now, time))

/** Repeats the effect until it has a value. */
const present = <A, E, R>(look: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(look, Option.match({ onNone: () => Effect.delay(present(look), "20 millis"), onSome: Effect.succeed }))

/** Saves a message of that status for that time, and appends its event like a use case. */
const message = (status: "pending" | "scheduled", time: Duration.DurationInput) =>
  Effect.gen(function*() {
    const { guild, user } = yield* Fixtures.botWithGuild
    const channel = yield* Fixtures.channel(guild.id)
    const scheduledAt = yield* soon(time)
    const { atomically } = yield* UnitOfWork
    const { append } = yield* EventLog
    return yield* atomically(
      Effect.tap(
        Fixtures.scheduledMessage(user.id, { channelId: channel.id, status, scheduledAt }),
        ({ id }) =>
          append(ScheduledMessageUpdated.make({ version: 1, scheduledMessageId: id, authorId: user.id, status }))
      )
    )
  })

/** Saves an account with a deletion that is due at that time, and appends its event. */
const leaving = (time: Duration.DurationInput) =>
  Effect.gen(function*() {
    const at = yield* soon(time)
    const { atomically } = yield* UnitOfWork
    const { append } = yield* EventLog
    return yield* atomically(
      Effect.tap(
        Fixtures.person({}, (user) => ({ ...user, pendingDeletionAt: Option.some(at) })),
        ({ id }) => append(UserUpdated.make({ version: 1, userId: id, changed: [] }))
      )
    )
  })

type Waiting = Effect.Effect.Success<ReturnType<typeof message>>

/** The time when the message was posted. */
const postedAt = ({ channelId }: Pick<Waiting, "channelId">) =>
  Effect.flatMap(MessageRepository, ({ inChannel }) =>
    present(
      Effect.map(
        inChannel({ channelId, before: Option.none(), limit: 2 }),
        ([posted]) => Option.map(Option.fromNullable(posted), ({ createdAt }) => createdAt)
      )
    ))

const deletedAt = (id: UserId) =>
  Effect.flatMap(
    UserRepository,
    ({ find }) =>
      present(Effect.map(find(id), Option.flatMap((user) => isDeleted(user) ? user.deletedAt : Option.none())))
  )

const armed = ({ id }: Pick<Waiting, "id">) =>
  Effect.flatMap(
    ScheduledMessageRepository,
    ({ find }) => present(Effect.map(find(id), Option.filter(({ status }) => status === "scheduled")))
  )

describe("a server on PostgreSQL", () => {
  it.scopedLive("does work from a time without a server", () =>
    Effect.gen(function*() {
      const settings = { STORAGE: "postgres", DATABASE_URL: yield* emptyDatabase }
      yield* Effect.gen(function*() {
        const [pending, due] = [yield* message("pending", "1 hour"), yield* message("scheduled", "-1 second")]
        const { id } = yield* leaving("-1 second")
        yield* Effect.gen(function*() {
          yield* armed(pending)
          yield* postedAt(due)
          yield* deletedAt(id)
        }).pipe(Effect.provide(composedLive(settings)))
      }).pipe(Effect.provide(besideLive(settings)))
    }), TIMEOUT)

  it.scopedLive("does the work of another process, at its time", () =>
    Effect.gen(function*() {
      const settings = { STORAGE: "postgres", DATABASE_URL: yield* emptyDatabase }
      yield* Effect.gen(function*() {
        const other = besideLive(settings)
        const { due, leaver, pending } = yield* Effect.all({
          pending: message("pending", "1 hour"),
          due: message("scheduled", "2 seconds"),
          leaver: leaving("2 seconds")
        }).pipe(Effect.provide(other))
        yield* armed(pending)
        const posted = yield* postedAt(due)
        expect(DateTime.greaterThanOrEqualTo(posted, due.scheduledAt)).toBe(true)
        const deleted = yield* deletedAt(leaver.id)
        expect(Option.exists(leaver.pendingDeletionAt, (at) => DateTime.greaterThanOrEqualTo(deleted, at))).toBe(true)
      }).pipe(Effect.provide(composedLive(settings)))
    }), TIMEOUT)
})
