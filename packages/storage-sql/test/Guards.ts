import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import {
  canFollow,
  ScheduledMessageStatus,
  UNDELIVERED
} from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, type Layer, Option } from "effect"

const statuses = ScheduledMessageStatus.literals

/** A stored message in this status. */
const stored = (status: ScheduledMessageStatus) =>
  Effect.gen(function*() {
    const author = Samples.user()
    const message = Samples.scheduledMessage({ authorId: author.id, status })
    yield* (yield* UserRepository).save(author)
    yield* (yield* ScheduledMessageRepository).insert(message)
    return message
  })

/** A storage with a client of its database, and statements and codes of the database. */
interface Guarded<E> {
  readonly storage: Layer.Layer<StoragePorts | SqlClient.SqlClient, E>
  /** The error code if a row violates a `CHECK`. */
  readonly checkViolation: string
  /** Statements that change or remove all audit records. */
  readonly removals: ReadonlyArray<string>
}

/** The writes that every SQL storage rejects in the database itself, also outside the domain. */
export const guards = <E>({ checkViolation, removals, storage }: Guarded<E>): void => {
  describe("a scheduled message that is changed by SQL, without the domain", () => {
    it.effect("changes its status only as in the transition table, and keeps it only while undelivered", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const steps = yield* Effect.forEach(
          statuses.flatMap((from) => statuses.map((to) => ({ from, to }))),
          ({ from, to }) =>
            Effect.gen(function*() {
              const { id } = yield* stored(from)
              const outcome = yield* Effect.either(sql`UPDATE scheduled_messages SET status = ${to} WHERE id = ${id}`)
              return { from, to, allowed: Either.isRight(outcome) }
            })
        )
        const allowed = steps.map(({ from, to }) => ({
          from,
          to,
          allowed: from === to ? UNDELIVERED.includes(from) : canFollow(from, to)
        }))
        expect(steps).toEqual(allowed)
      }).pipe(Effect.provide(storage)))

    it.effect("does not change after it was sent", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* stored("sent")
        const failure = yield* Effect.flip(sql`UPDATE scheduled_messages SET ended_at = 0 WHERE id = ${id}`)
        expect(failure.cause).toMatchObject({ message: "no such transition of a scheduled message" })
      }).pipe(Effect.provide(storage)))

    it.effect("has only statuses of the domain", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { authorId } = yield* stored("pending")
        const failure = yield* Effect.flip(sql`
          INSERT INTO scheduled_messages (
            id, author_id, channel_id, scheduled_at, scheduled_local_at, timezone, status, payload, created_at, attempts
          )
          VALUES (1, ${authorId}, 1, 0, '', 'UTC', 'lost', '{}', 0, 0)
        `)
        expect(failure.cause).toMatchObject({ code: checkViolation })
      }).pipe(Effect.provide(storage)))
  })

  describe("an audit record", () => {
    it.effect.each(removals)(
      "cannot be changed or removed: %s",
      (statement) =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sql`
          INSERT INTO audit_records (at, actor, action, target_id, before, after)
          VALUES (1, '{}', 'webhook.create', 1, '{}', '{}')
        `
          const failure = yield* Effect.flip(sql.unsafe(statement))
          expect(failure.cause).toMatchObject({ message: "an audit record is for good" })
        }).pipe(Effect.provide(storage))
    )
  })

  describe("a claim", () => {
    it.effect("does not remain for the next deletion when a deletion is cancelled", () =>
      Effect.gen(function*() {
        const users = yield* UserRepository
        const user = Samples.user({ pendingDeletionAt: Option.some(Samples.NOON) })
        const claim = users.claimDueDeletions({ now: Samples.NOON, leaseUntil: Samples.noonPlus(1000), limit: 1 })
        yield* users.save(user)
        yield* claim
        yield* users.save({ ...user, pendingDeletionAt: Option.none() })
        yield* users.save(user)
        expect(yield* claim).toEqual([user.id])
      }).pipe(Effect.provide(storage)))
  })
}
