import { Context, DateTime, Effect, Equal, Option, Struct } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import type { AuditActor, AuditedFields } from "../audit/AuditRecord.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import * as DeletionSchedule from "./DeletionSchedule.ts"
import { type EmailAddress, maskEmail } from "./EmailAddress.ts"
import { type DeletionReasonCode, requireAccount, type UnknownUser, type User, type UserId } from "./User.ts"
import { UserDeletionCancelled, UserDeletionScheduled, UserUpdated } from "./UserEvents.ts"
import { type EmailAlreadyInUse, UserRepository } from "./UserRepository.ts"

/** Days until a deletion if the request does not specify them. A setting of the server. */
export class DefaultDaysUntilDeletion extends Context.Reference<DefaultDaysUntilDeletion>()(
  "@community-messaging/domain/DefaultDaysUntilDeletion",
  { defaultValue: () => DeletionSchedule.DEFAULT_DAYS_UNTIL_DELETION }
) {}

/** The operations of administrators on accounts. Each is one transaction with its event and its audit record. */
export class Accounts extends UseCase<Accounts, {
  /**
   * Schedules the deletion of the account, or replaces a scheduled one. The account's tokens stop working immediately;
   * nothing else changes before the date. Source: API reference, Schedule account deletion; API gaps, Deletion of an
   * account.
   */
  readonly scheduleDeletion: (request: {
    readonly userId: UserId
    readonly reasonCode: DeletionReasonCode
    readonly publicReason: Option.Option<string>
    readonly daysUntilDeletion: Option.Option<DeletionSchedule.DaysUntilDeletion>
    readonly actor: AuditActor
  }) => Effect.Effect<User, UnknownUser | DeletionSchedule.SystemAccountNotDeletable | StorageError>
  /** Cancels a scheduled deletion. The account is as it was before. */
  readonly cancelDeletion: (request: {
    readonly userId: UserId
    readonly actor: AuditActor
  }) => Effect.Effect<User, UnknownUser | DeletionSchedule.NoDeletionScheduled | StorageError>
  /**
   * Changes the e-mail address of the account. The new address is neither verified nor bounced. Setting the same
   * address again has no effect. Source: API reference, Change user email; API gaps, Change of e-mail.
   */
  readonly changeEmail: (request: {
    readonly userId: UserId
    readonly email: EmailAddress
    readonly actor: AuditActor
  }) => Effect.Effect<User, UnknownUser | EmailAlreadyInUse | StorageError>
}>()(
  "@community-messaging/domain/Accounts",
  Effect.gen(function*() {
    const users = yield* UserRepository
    const events = yield* EventLog
    const audit = yield* AuditLog
    const { atomically, lock } = yield* UnitOfWork
    const defaultDays = yield* DefaultDaysUntilDeletion

    const existing = (userId: UserId) => Effect.flatMap(users.find(userId), (found) => requireAccount(userId, found))

    return {
      scheduleDeletion: Effect.fnUntraced(
        function*({ actor, daysUntilDeletion, publicReason, reasonCode, userId }) {
          yield* lock({ kind: "account", id: userId })
          const before = yield* existing(userId)
          const now = yield* DateTime.now
          const after = yield* DeletionSchedule.schedule(before, {
            reasonCode,
            publicReason,
            daysUntilDeletion: Option.getOrElse(daysUntilDeletion, () => defaultDays)
          }, now)
          yield* users.saveWithoutNewEmail(after)
          yield* events.append(UserDeletionScheduled.of({
            userId,
            pendingDeletionAt: Option.getOrElse(after.pendingDeletionAt, () => now),
            reasonCode,
            publicReason
          }))
          yield* audit.append({
            actor,
            action: "user.schedule_deletion",
            targetId: userId,
            at: now,
            before: deletionFields(before),
            after: deletionFields(after)
          })
          return after
        },
        atomically,
        traced("Accounts.scheduleDeletion")
      ),
      cancelDeletion: Effect.fnUntraced(
        function*({ actor, userId }) {
          yield* lock({ kind: "account", id: userId })
          const before = yield* existing(userId)
          const after = yield* DeletionSchedule.cancel(before)
          yield* users.saveWithoutNewEmail(after)
          yield* events.append(UserDeletionCancelled.of({ userId }))
          yield* audit.append({
            actor,
            action: "user.cancel_deletion",
            targetId: userId,
            at: yield* DateTime.now,
            before: deletionFields(before),
            after: deletionFields(after)
          })
          return after
        },
        atomically,
        traced("Accounts.cancelDeletion")
      ),
      changeEmail: Effect.fnUntraced(
        function*({ actor, email, userId }) {
          yield* lock({ kind: "account", id: userId })
          const before = yield* existing(userId)
          if (Option.contains(before.email, email)) return before
          const after: User = {
            ...before,
            email: Option.some(email),
            emailVerified: Option.some(false),
            emailBounced: Option.some(false)
          }
          const changed = emailFieldsChanged(before, after)
          yield* users.save(after)
          yield* events.append(UserUpdated.of({ userId, changed }))
          yield* audit.append({
            actor,
            action: "user.change_email",
            targetId: userId,
            at: yield* DateTime.now,
            before: Struct.pick(emailFields(before), ...changed),
            after: Struct.pick(emailFields(after), ...changed)
          })
          return after
        },
        atomically,
        traced("Accounts.changeEmail")
      )
    }
  })
) {}

/** The fields of the account's address, which is masked. */
const emailFields = (user: User) => ({
  email: Option.getOrNull(Option.map(user.email, maskEmail)),
  email_verified: Option.getOrNull(user.emailVerified),
  email_bounced: Option.getOrNull(user.emailBounced)
})

/** The fields that differ after a change of the address. Two addresses can be equal when they are masked. */
const emailFieldsChanged = (before: User, after: User): ReadonlyArray<keyof ReturnType<typeof emailFields>> => [
  "email",
  ...(Equal.equals(before.emailVerified, after.emailVerified) ? [] : ["email_verified"] as const),
  ...(Equal.equals(before.emailBounced, after.emailBounced) ? [] : ["email_bounced"] as const)
]

const deletionFields = (user: User): AuditedFields => ({
  pending_deletion_at: Option.getOrNull(Option.map(user.pendingDeletionAt, DateTime.formatIso)),
  deletion_reason_code: Option.getOrNull(user.deletionReasonCode),
  deletion_public_reason: Option.getOrNull(user.deletionPublicReason)
})
