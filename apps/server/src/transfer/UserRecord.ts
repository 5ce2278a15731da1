import { makeEraseAccount } from "@community-messaging/domain/account-deletion/AccountErasure"
import * as DeletionSchedule from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import {
  DeletionReasonCode,
  Discriminator,
  isDeleted,
  isPendingDeletion,
  PublicReason,
  type User,
  UserId
} from "@community-messaging/domain/account/User"
import {
  userDeletionCancelled,
  userDeletionScheduled,
  userUpdated
} from "@community-messaging/domain/account/UserEvents"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { failOnProblems, invalid, ofViolations, type Problem } from "./InvalidRecord.ts"
import { Moment, optional, optionalNamed, withDefault, withDefaultNamed } from "./RecordField.ts"
import * as RecordKind from "./RecordKind.ts"
import { References } from "./References.ts"

/** The record of an account: a User of the API (administrative view), and `deleted_at` on a tombstone. */
export const UserRecord = Schema.Struct({
  id: UserId,
  username: Schema.NonEmptyString,
  discriminator: withDefault(Discriminator, () => Discriminator.make(0)),
  globalName: optionalNamed("global_name", Schema.String),
  bot: withDefault(Schema.Boolean, () => false),
  system: withDefault(Schema.Boolean, () => false),
  flags: withDefault(Schema.NonNegativeBigInt, () => 0n),
  avatar: optional(Schema.String),
  banner: optional(Schema.String),
  bio: optional(Schema.String),
  pronouns: optional(Schema.String),
  accentColor: optionalNamed("accent_color", Schema.Int),
  email: optional(EmailAddress),
  emailVerified: optionalNamed("email_verified", Schema.Boolean),
  emailBounced: optionalNamed("email_bounced", Schema.Boolean),
  phone: optional(Schema.String),
  dateOfBirth: optionalNamed("date_of_birth", Schema.String),
  locale: optional(Schema.String),
  premiumType: optionalNamed("premium_type", Schema.Int),
  premiumSince: optionalNamed("premium_since", Moment),
  premiumUntil: optionalNamed("premium_until", Moment),
  suspiciousActivityFlags: withDefaultNamed("suspicious_activity_flags", Schema.Int, () => 0),
  tempBannedUntil: optionalNamed("temp_banned_until", Moment),
  pendingDeletionAt: optionalNamed("pending_deletion_at", Moment),
  pendingBulkMessageDeletionAt: optionalNamed("pending_bulk_message_deletion_at", Moment),
  deletionReasonCode: optionalNamed("deletion_reason_code", DeletionReasonCode),
  deletionPublicReason: optionalNamed("deletion_public_reason", PublicReason),
  acls: withDefault(Schema.Array(Schema.String), () => []),
  traits: withDefault(Schema.Array(Schema.String), () => []),
  hasTotp: withDefaultNamed("has_totp", Schema.Boolean, () => false),
  authenticatorTypes: withDefaultNamed("authenticator_types", Schema.Array(Schema.Int), () => []),
  lastActiveAt: optionalNamed("last_active_at", Moment),
  lastActiveIp: optionalNamed("last_active_ip", Schema.String),
  lastActiveIpReverse: optionalNamed("last_active_ip_reverse", Schema.String),
  lastActiveLocation: optionalNamed("last_active_location", Schema.String),
  deletedAt: optionalNamed("deleted_at", Moment)
})

const same = Schema.equivalence(UserRecord)
const encode = Schema.encodeSync(UserRecord)

/** The fields of a scheduled deletion, which has its own events. */
const DELETION_FIELDS = new Set(["pending_deletion_at", "deletion_reason_code", "deletion_public_reason"])

/** Returns the fields that differ, by their names in the API. */
const changedFields = (before: User, after: User): ReadonlyArray<string> => {
  const old = new Map(Object.entries(encode(before)).map(([name, value]) => [name, JSON.stringify(value)]))
  const current = new Map(Object.entries(encode(after)).map(([name, value]) => [name, JSON.stringify(value)]))
  return Array.from(new Set([...old.keys(), ...current.keys()])).filter((name) => old.get(name) !== current.get(name))
}

/** Returns the event of a scheduled deletion that was added, changed or removed. */
const deletionEvent = (before: Option.Option<User>, after: User): Option.Option<DomainEvent> =>
  isPendingDeletion(after)
    ? Option.map(
      Option.all([after.pendingDeletionAt, after.deletionReasonCode]),
      ([pendingDeletionAt, reasonCode]) =>
        userDeletionScheduled({
          userId: after.id,
          pendingDeletionAt,
          reasonCode,
          publicReason: after.deletionPublicReason
        })
    )
    : Option.map(Option.filter(before, isPendingDeletion), () => userDeletionCancelled(after.id))

/** Returns the events of a saved account. */
const eventsOf = (before: Option.Option<User>, after: User): ReadonlyArray<DomainEvent> => {
  const changed = Option.match(before, { onNone: () => [], onSome: (earlier) => changedFields(earlier, after) })
  const others = changed.filter((name) => !DELETION_FIELDS.has(name))
  const deletionChanged = Option.isNone(before) || others.length < changed.length
  return [
    ...others.length > 0 ? [userUpdated(after.id, others)] : [],
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

const keep = (record: User) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const events = yield* EventLog
    const references = yield* References
    const now = yield* DateTime.now
    const existing = yield* users.find(record.id)
    if (Option.exists(existing, isDeleted)) {
      return isDeleted(record)
        ? "unchanged" as const
        : yield* invalid("id", "this account is deleted: an import cannot restore it")
    }
    yield* failOnProblems([...ofViolations(DeletionSchedule.violations(record, now)), ...changedKind(existing, record)])
    const user = asStored(record)
    references.forgetUser(user.id)
    return yield* RecordKind.outcome(existing, user, same, (before) =>
      isDeleted(user) && Option.isSome(before)
        ? Effect.flatMap(makeEraseAccount, (eraseAccount) => eraseAccount(user, now))
        : Effect.zipRight(
          users.save(user),
          Effect.forEach(eventsOf(before, user), events.append, { discard: true })
        ))
  }).pipe(Effect.catchTag("EmailAlreadyInUse", () =>
    invalid("email", "another account has this address or an equal form of it")))

/** The record kind of accounts. */
export const kind = RecordKind.make({
  kind: "user",
  schema: UserRecord,
  keep,
  all: Stream.unwrap(Effect.map(UserRepository, (users) => RecordKind.pages(users.list, (user) => user.id)))
})
