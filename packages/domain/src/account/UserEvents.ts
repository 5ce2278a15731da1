import { Schema } from "effect"
import { event } from "../shared-kernel/Event.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { DeletionReasonCode, UserId } from "./User.ts"

/** Fields of an account changed. Lists their names in the API, without the values, which are personal data. */
export const UserUpdated = event("user.updated", { userId: UserId, changed: Schema.Array(Schema.String) })

/** An account's deletion was scheduled or rescheduled. */
export const UserDeletionScheduled = event("user.deletion_scheduled", {
  userId: UserId,
  pendingDeletionAt: Schema.DateTimeUtc,
  reasonCode: DeletionReasonCode,
  publicReason: optionalField(Schema.String)
})

/** An account's deletion was cancelled. */
export const UserDeletionCancelled = event("user.deletion_cancelled", { userId: UserId })

/** An account was deleted. */
export const UserDeleted = event("user.deleted", { userId: UserId })
