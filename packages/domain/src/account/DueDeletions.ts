import { DateTime, Effect, Either, Option } from "effect"
import { CredentialRepository } from "../access/CredentialRepository.ts"
import * as Events from "../DomainEvent.ts"
import { ClaimLease, type DueWork } from "../DueWork.ts"
import { EventLog } from "../EventLog.ts"
import { MembershipRepository } from "../guild/MembershipRepository.ts"
import { ConsentRepository } from "../oauth2/ConsentRepository.ts"
import { PARTS_CHECKED } from "../PartsChecked.ts"
import * as ScheduledMessage from "../scheduled-message/ScheduledMessage.ts"
import { ScheduledMessageRepository } from "../scheduled-message/ScheduledMessageRepository.ts"
import type { StorageError } from "../StorageError.ts"
import { UnitOfWork } from "../UnitOfWork.ts"
import * as AccountDeletion from "./AccountDeletion.ts"
import type { UserId } from "./User.ts"
import { UserRepository } from "./UserRepository.ts"

/** Why the undelivered messages of a deleted account are cancelled. */
const CANCELLED_WITH_ACCOUNT = "The author's account was deleted."

/** Makes `Accounts.deleteDue`: claims accounts whose deletion is due and deletes each in one transaction. */
export const makeDeleteDue = Effect.gen(function*() {
  const users = yield* UserRepository
  const credentials = yield* CredentialRepository
  const consents = yield* ConsentRepository
  const scheduledMessages = yield* ScheduledMessageRepository
  const memberships = yield* MembershipRepository
  const events = yield* EventLog
  const { atomically } = yield* UnitOfWork
  const lease = yield* ClaimLease

  const cancelMessages = (userId: UserId, now: DateTime.Utc) =>
    Effect.gen(function*() {
      for (const message of yield* scheduledMessages.undelivered(userId)) {
        const cancelled = Either.getOrUndefined(
          ScheduledMessage.cancel(message, Option.some(CANCELLED_WITH_ACCOUNT), now)
        )
        if (cancelled === undefined) continue
        yield* Effect.catchTag(
          scheduledMessages.update(cancelled, message.status),
          "ScheduledMessageConflict",
          Effect.die
        )
        yield* events.append(Events.ScheduledMessageUpdated.make({
          version: 1,
          scheduledMessageId: message.id,
          authorId: userId,
          status: cancelled.status
        }, PARTS_CHECKED))
      }
    })

  const leaveGuilds = (userId: UserId) =>
    Effect.gen(function*() {
      for (const { guildId } of yield* memberships.ofUser(userId)) {
        yield* memberships.remove(guildId, userId)
        yield* events.append(Events.MemberLeft.make({ version: 1, guildId, userId }, PARTS_CHECKED))
      }
    })

  /** Deletes the account if its time has still come; true when it did. */
  const deleteAccount = (userId: UserId) =>
    Effect.gen(function*() {
      const user = Option.getOrUndefined(yield* users.find(userId))
      const now = yield* DateTime.now
      if (user === undefined || !AccountDeletion.isDue(user, now)) return false
      yield* credentials.revokeAllOfUser(userId, now)
      yield* consents.removeAllOfUser(userId, now)
      yield* cancelMessages(userId, now)
      yield* leaveGuilds(userId)
      yield* Effect.catchTag(users.save(AccountDeletion.tombstone(user, now)), "EmailAlreadyInUse", Effect.die)
      yield* events.append(Events.UserDeleted.make({ version: 1, userId }, PARTS_CHECKED))
      return true
    }).pipe(atomically)

  return (limit: number): Effect.Effect<DueWork, StorageError> =>
    Effect.gen(function*() {
      const now = yield* DateTime.now
      const claimed = yield* users.claimDueDeletions({ now, leaseUntil: DateTime.addDuration(now, lease), limit })
      const outcomes = yield* Effect.forEach(claimed, (userId) =>
        Effect.exit(deleteAccount(userId)).pipe(
          Effect.tap((exit) =>
            exit._tag === "Failure"
              ? Effect.logError("An account could not be deleted", exit.cause).pipe(
                Effect.annotateLogs("user_id", userId)
              )
              : Effect.void
          )
        ))
      return {
        claimed: claimed.length,
        done: outcomes.filter((outcome) => outcome._tag === "Success" && outcome.value).length,
        failed: outcomes.filter((outcome) => outcome._tag === "Failure").length
      }
    })
})
