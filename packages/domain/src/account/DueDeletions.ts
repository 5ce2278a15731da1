import { DateTime, Effect, Option } from "effect"
import { type BatchResult, ClaimLease, handleEach } from "../BatchResult.ts"
import type { StorageError } from "../StorageError.ts"
import { UnitOfWork } from "../UnitOfWork.ts"
import * as AccountDeletion from "./AccountDeletion.ts"
import { makeEraseAccount } from "./AccountErasure.ts"
import type { UserId } from "./User.ts"
import { UserRepository } from "./UserRepository.ts"

/** Makes `Accounts.deleteDue`: claims accounts whose deletion is due and deletes each in one transaction. */
export const makeDeleteDue = Effect.gen(function*() {
  const users = yield* UserRepository
  const { atomically } = yield* UnitOfWork
  const lease = yield* ClaimLease
  const eraseAccount = yield* makeEraseAccount

  /** Deletes the account if its time has still come; true when it did. */
  const deleteAccount = (userId: UserId) =>
    Effect.gen(function*() {
      const user = Option.getOrUndefined(yield* users.find(userId))
      const now = yield* DateTime.now
      if (user === undefined || !AccountDeletion.isDue(user, now)) return false
      yield* eraseAccount(AccountDeletion.tombstone(user, now), now)
      return true
    }).pipe(atomically)

  return (limit: number): Effect.Effect<BatchResult, StorageError> =>
    Effect.gen(function*() {
      const now = yield* DateTime.now
      const claimed = yield* users.claimDueDeletions({ now, leaseUntil: DateTime.addDuration(now, lease), limit })
      return yield* handleEach(claimed, deleteAccount, (userId, cause) =>
        Effect.annotateLogs(Effect.logError("An account could not be deleted", cause), "user_id", userId))
    })
})
