import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { makeEraseAccount } from "@community-messaging/domain/account-deletion/AccountErasure"
import * as DeletionSchedule from "@community-messaging/domain/account/DeletionSchedule"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import { isDeleted, isPendingDeletion, User, type UserId } from "@community-messaging/domain/account/User"
import {
  UserDeletionCancelled,
  UserDeletionScheduled,
  UserUpdated
} from "@community-messaging/domain/account/UserEvents"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Data, DateTime, Effect, Either, Option, Schema } from "effect"
import { failOnProblems, invalid, ofViolations, type Problem } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import { References } from "./References.ts"

/** The record of an account: a User of the API (administrative view), and `deleted_at` on a tombstone. */
const UserRecord = RecordSchema.make(User, {
  discriminator: 0,
  bot: false,
  system: false,
  flags: "0",
  suspiciousActivityFlags: 0,
  acls: [],
  traits: [],
  hasTotp: false,
  authenticatorTypes: []
})

const same = Schema.equivalence(User)
const encode = CompiledSchema.encodeTrustedEither(UserRecord)

/** The fields of a scheduled deletion, which has its own events. */
const DELETION_FIELDS = new Set(["pending_deletion_at", "deletion_reason_code", "deletion_public_reason"])

/** The values of the fields as texts, by their names in the API. A stored account may have passed an older schema. */
const textsOf = (user: User): ReadonlyMap<string, string> =>
  new Map(Object.entries(Either.getOrThrow(encode(user))).map(([name, value]) => [name, JSON.stringify(value)]))

/** Returns the fields that differ, by their names in the API. */
const changedFields = (before: User, after: User): ReadonlyArray<string> => {
  const old = textsOf(before)
  const current = textsOf(after)
  return Array.from(new Set([...old.keys(), ...current.keys()])).filter((name) => old.get(name) !== current.get(name))
}

/** Returns the event of a scheduled deletion that was added, changed or removed. */
const deletionEvent = (before: Option.Option<User>, after: User): Option.Option<DomainEvent> =>
  isPendingDeletion(after)
    ? Option.map(
      Option.all([after.pendingDeletionAt, after.deletionReasonCode]),
      ([pendingDeletionAt, reasonCode]) =>
        UserDeletionScheduled.of({
          userId: after.id,
          pendingDeletionAt,
          reasonCode,
          publicReason: after.deletionPublicReason
        })
    )
    : Option.map(Option.filter(before, isPendingDeletion), () => UserDeletionCancelled.of({ userId: after.id }))

/** Returns the events of a saved account. */
const eventsOf = (before: Option.Option<User>, after: User): ReadonlyArray<DomainEvent> => {
  const changed = Option.match(before, { onNone: () => [], onSome: (earlier) => changedFields(earlier, after) })
  const others = changed.filter((name) => !DELETION_FIELDS.has(name))
  const deletionChanged = Option.isNone(before) || others.length < changed.length
  return [
    ...others.length > 0 ? [UserUpdated.of({ userId: after.id, changed: others })] : [],
    ...deletionChanged ? Option.toArray(deletionEvent(before, after)) : []
  ]
}

/** Returns the account as it is stored: a tombstone has no personal data, even if the record has. */
const asStored = (user: User): User =>
  Option.match(user.deletedAt, { onNone: () => user, onSome: (at) => tombstone(user, at) })

/**
 * Returns the problems of a changed `bot` or `system` flag. They are fixed: a system account must never become
 * deletable.
 */
const changedKind = (existing: Option.Option<User>, user: User): ReadonlyArray<Problem> =>
  Option.match(existing, {
    onNone: () => [],
    onSome: (there) =>
      (["bot", "system"] as const)
        .filter((kind) => there[kind] !== user[kind])
        .map((kind) => ({ path: kind, reason: `cannot change from ${there[kind]}` }))
  })

const EMAIL_TAKEN = invalid("email", "another account has this address or an equal form of it")

/** An account to save, as it was before. */
interface Change {
  readonly before: Option.Option<User>
  readonly user: User
}

/** Another account has the e-mail address of one of these. */
class EmailTaken extends Data.TaggedError("EmailTaken")<{}> {}

const saveTogether = (changes: ReadonlyArray<Change>) =>
  Effect.gen(function*() {
    if (changes.length === 0) return
    const users = yield* UserRepository
    const events = yield* EventLog
    if (!(yield* users.saveAll(changes.map(({ user }) => user)))) return yield* new EmailTaken()
    const appended = changes.flatMap(({ before, user }) => eventsOf(before, user))
    yield* Effect.forEach(appended, events.append, { discard: true })
  })

/** Saves the accounts in this order. One that becomes a tombstone is erased. */
const saveChanges = (changes: ReadonlyArray<Change>) =>
  Effect.gen(function*() {
    let together: Array<Change> = []
    for (const change of changes) {
      if (isDeleted(change.user) && Option.isSome(change.before)) {
        yield* saveTogether(together)
        together = []
        const eraseAccount = yield* makeEraseAccount
        yield* eraseAccount(change.user, yield* DateTime.now)
      } else {
        together.push(change)
      }
    }
    yield* saveTogether(together)
  })

/** Checks an account against the stored one, and adds it to the changes if it must be saved. */
const check = (record: User, stored: Map<UserId, User>, changes: Array<Change>) =>
  Effect.gen(function*() {
    const references = yield* References
    const now = yield* DateTime.now
    const existing = Option.fromNullable(stored.get(record.id))
    if (Option.exists(existing, isDeleted)) {
      return isDeleted(record)
        ? "unchanged" as const
        : yield* invalid("id", "this account is deleted: an import cannot restore it")
    }
    yield* failOnProblems([...ofViolations(DeletionSchedule.violations(record, now)), ...changedKind(existing, record)])
    const user = asStored(record)
    references.forgetUser(user.id)
    stored.set(user.id, user)
    return yield* RecordKind.outcome(existing, user, same, (before) =>
      Effect.sync(() => {
        changes.push({ before, user })
      }))
  })

/** Imports accounts with few round trips: all of them, or none if an e-mail address is taken. */
const importTogether = (records: ReadonlyArray<User>) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const found = yield* users.findAll(records.map(({ id }) => id))
    const stored = new Map(found.map((user) => [user.id, user]))
    const changes: Array<Change> = []
    const outcomes = yield* RecordKind.oneByOne((record: User) => check(record, stored, changes))(records)
    yield* saveChanges(changes)
    return outcomes
  })

/** If an e-mail address is taken, halves the accounts until the one with that address is found. */
const saveAll = (
  records: ReadonlyArray<User>
): Effect.Effect<ReadonlyArray<RecordKind.Imported>, StorageError, RecordKind.TransferPorts | References> =>
  Effect.gen(function*() {
    const { atomically } = yield* UnitOfWork
    return yield* atomically(importTogether(records))
  }).pipe(
    Effect.catchTag("EmailTaken", () => {
      if (records.length === 1) return Effect.succeed([Either.left(EMAIL_TAKEN)])
      const half = Math.ceil(records.length / 2)
      return Effect.zipWith(
        saveAll(records.slice(0, half)),
        saveAll(records.slice(half)),
        (first, second) => [...first, ...second]
      )
    })
  )

/** The record kind of accounts. */
export const kind = RecordKind.make({
  kind: "user",
  schema: UserRecord,
  saveAll,
  all: Effect.map(UserRepository, ({ list }) => RecordKind.pages(list, ({ id }) => id))
})
