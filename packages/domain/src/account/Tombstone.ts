import { type DateTime, Option } from "effect"
import { WITHOUT_VALIDATION } from "../shared-kernel/WithoutValidation.ts"
import { Discriminator, User } from "./User.ts"

/**
 * Returns what remains of a deleted account: its id, flags and deletion fields. Personal data is erased, and other
 * accounts can use its e-mail address (API gaps, Deletion of an account).
 */
export const tombstone = (user: User, now: DateTime.Utc): User =>
  User.make({
    id: user.id,
    username: `deleted-user-${user.id}`,
    discriminator: Discriminator.make(0),
    bot: user.bot,
    system: user.system,
    flags: user.flags,
    suspiciousActivityFlags: user.suspiciousActivityFlags,
    pendingDeletionAt: user.pendingDeletionAt,
    deletionReasonCode: user.deletionReasonCode,
    deletionPublicReason: user.deletionPublicReason,
    acls: [],
    traits: [],
    hasTotp: false,
    authenticatorTypes: [],
    deletedAt: Option.some(now)
  }, WITHOUT_VALIDATION)
