import { type DateTime, type Option, Schema } from "effect"
import { event } from "../shared-kernel/Event.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { DeletionReasonCode, UserId } from "./User.ts"

/** An account changed in the fields named, by their names in the reference. Their values are personal: read the account. */
export const UserUpdated = event("user.updated", { userId: UserId, changed: Schema.Array(Schema.String) })

/** An account's deletion was scheduled, or scheduled anew. */
export const UserDeletionScheduled = event("user.deletion_scheduled", {
  userId: UserId,
  pendingDeletionAt: Schema.DateTimeUtc,
  reasonCode: DeletionReasonCode,
  publicReason: optionalField(Schema.String)
})

/** An account's deletion was taken back. */
export const UserDeletionCancelled = event("user.deletion_cancelled", { userId: UserId })

/** An account was deleted. */
export const UserDeleted = event("user.deleted", { userId: UserId })

// What the constructors below take is checked already.

export const userUpdated = (userId: UserId, changed: ReadonlyArray<string>): typeof UserUpdated.Type =>
  UserUpdated.make({ version: 1, userId, changed }, PARTS_CHECKED)

export const userDeletionScheduled = (deletion: {
  readonly userId: UserId
  readonly pendingDeletionAt: DateTime.Utc
  readonly reasonCode: DeletionReasonCode
  readonly publicReason: Option.Option<string>
}): typeof UserDeletionScheduled.Type => UserDeletionScheduled.make({ version: 1, ...deletion }, PARTS_CHECKED)

export const userDeletionCancelled = (userId: UserId): typeof UserDeletionCancelled.Type =>
  UserDeletionCancelled.make({ version: 1, userId }, PARTS_CHECKED)

export const userDeleted = (userId: UserId): typeof UserDeleted.Type =>
  UserDeleted.make({ version: 1, userId }, PARTS_CHECKED)
