import { type DateTime, type Option, Schema } from "effect"
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

/** Makes the event of an account whose fields changed. The id is already validated. */
export const userUpdated = (userId: UserId, changed: ReadonlyArray<string>): typeof UserUpdated.Type => ({
  _tag: "user.updated",
  version: 1,
  userId,
  changed
})

/** Makes the event of a scheduled deletion. Its fields are already validated. */
export const userDeletionScheduled = (deletion: {
  readonly userId: UserId
  readonly pendingDeletionAt: DateTime.Utc
  readonly reasonCode: DeletionReasonCode
  readonly publicReason: Option.Option<string>
}): typeof UserDeletionScheduled.Type => ({ _tag: "user.deletion_scheduled", version: 1, ...deletion })

/** Makes the event of a cancelled deletion. The id is already validated. */
export const userDeletionCancelled = (userId: UserId): typeof UserDeletionCancelled.Type => ({
  _tag: "user.deletion_cancelled",
  version: 1,
  userId
})

/** Makes the event of a deleted account. The id is already validated. */
export const userDeleted = (userId: UserId): typeof UserDeleted.Type => ({ _tag: "user.deleted", version: 1, userId })
