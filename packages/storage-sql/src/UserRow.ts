import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { DeletionReasonCode, PublicReason, User } from "@community-messaging/domain/account/User"
import { Int32 } from "@community-messaging/domain/shared-kernel/Integer"
import { Schema } from "effect"
import { column, Flag, Instant, json, nullable } from "./Column.ts"

/** An account as a row of `users`. */
export const UserRow = Schema.Struct({
  id: User.fields.id,
  username: User.fields.username,
  discriminator: User.fields.discriminator,
  globalName: nullable("global_name", Schema.String),
  bot: Flag,
  system: Flag,
  flags: User.fields.flags,
  avatar: nullable("avatar", Schema.String),
  banner: nullable("banner", Schema.String),
  bio: nullable("bio", Schema.String),
  pronouns: nullable("pronouns", Schema.String),
  accentColor: nullable("accent_color", Int32),
  email: nullable("email", EmailAddress),
  emailVerified: nullable("email_verified", Flag),
  emailBounced: nullable("email_bounced", Flag),
  phone: nullable("phone", Schema.String),
  dateOfBirth: nullable("date_of_birth", Schema.String),
  locale: nullable("locale", Schema.String),
  premiumType: nullable("premium_type", Int32),
  premiumSince: nullable("premium_since", Instant),
  premiumUntil: nullable("premium_until", Instant),
  suspiciousActivityFlags: column("suspicious_activity_flags", Int32),
  tempBannedUntil: nullable("temp_banned_until", Instant),
  pendingDeletionAt: nullable("pending_deletion_at", Instant),
  pendingBulkMessageDeletionAt: nullable("pending_bulk_message_deletion_at", Instant),
  deletionReasonCode: nullable("deletion_reason_code", DeletionReasonCode),
  deletionPublicReason: nullable("deletion_public_reason", PublicReason),
  acls: json(User.fields.acls),
  traits: json(User.fields.traits),
  hasTotp: column("has_totp", Flag),
  authenticatorTypes: column("authenticator_types", json(User.fields.authenticatorTypes)),
  lastActiveAt: nullable("last_active_at", Instant),
  lastActiveIp: nullable("last_active_ip", Schema.String),
  lastActiveIpReverse: nullable("last_active_ip_reverse", Schema.String),
  lastActiveLocation: nullable("last_active_location", Schema.String),
  deletedAt: nullable("deleted_at", Instant)
})
