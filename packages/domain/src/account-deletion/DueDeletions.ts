import { DateTime, Effect, Option } from "effect"
import * as DeletionSchedule from "../account/DeletionSchedule.ts"
import { tombstone } from "../account/Tombstone.ts"
import type { UserId } from "../account/User.ts"
import { UserRepository } from "../account/UserRepository.ts"
import { type BatchResult, handleEach } from "../shared-kernel/BatchResult.ts"
import { claimIfDue, ClaimLease } from "../shared-kernel/ClaimLease.ts"
import * as LoggedCause from "../shared-kernel/LoggedCause.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { makeEraseAccount } from "./AccountErasure.ts"

/** Deletes accounts whose deletion is due. */
export class DueDeletions extends UseCase<DueDeletions, {
  /**
   * Deletes up to `limit` accounts whose deletion is due. Each is deleted exactly once, in one transaction: tokens,
   * consents and grants are revoked, undelivered messages cancelled, memberships ended, personal data erased. Source:
   * API gaps, Deletion of an account. `DeletedData.purge` then removes the bytes of the erased data from the storage.
   */
  readonly deleteDue: (limit: number) => Effect.Effect<BatchResult, StorageError>
  /** The earliest moment at which a deletion can be claimed. */
  readonly nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
}>()(
  "@community-messaging/domain/DueDeletions",
  Effect.gen(function*() {
    const users = yield* UserRepository
    const { atomically, lock } = yield* UnitOfWork
    const lease = yield* ClaimLease
    const eraseAccount = yield* makeEraseAccount

    /** Deletes the account if its deletion is still due. Returns whether it was deleted. */
    const deleteAccount = (userId: UserId) =>
      Effect.gen(function*() {
        yield* lock({ kind: "account", id: userId })
        const user = yield* users.find(userId)
        const now = yield* DateTime.now
        const due = Option.filter(user, (found) => DeletionSchedule.isDue(found, now))
        if (Option.isNone(due)) return false
        yield* eraseAccount(tombstone(due.value, now), now)
        return true
      }).pipe(atomically)

    return {
      deleteDue: (limit) =>
        Effect.flatMap(
          claimIfDue(users.nextDeletionAt, lease, limit, users.claimDueDeletions),
          (claimed) =>
            handleEach(claimed, deleteAccount, (userId, cause) =>
              Effect.annotateLogs(Effect.logError("An account could not be deleted"), {
                user_id: userId,
                cause: LoggedCause.describe(cause)
              }))
        ),
      nextDueAt: users.nextDeletionAt
    }
  })
) {}
