import type { User } from "@community-messaging/domain/account/User"
import { DateTime, Option, Schema } from "effect"
import { Int32, nullable, Snowflake, Timestamp } from "../wire/WireType.ts"

/** An account as administrators see it. Source: API reference, User; API gaps, Wire conventions. */
export const UserResource = Schema.Struct({
  id: Snowflake,
  username: Schema.String,
  discriminator: Int32,
  global_name: nullable(Schema.String),
  bot: Schema.Boolean,
  system: Schema.Boolean,
  flags: Schema.String.annotations({
    jsonSchema: { type: "string", pattern: "^(0|[1-9][0-9]*)$", description: "A bit set as a decimal number." }
  }),
  avatar: nullable(Schema.String),
  banner: nullable(Schema.String),
  bio: nullable(Schema.String),
  pronouns: nullable(Schema.String),
  accent_color: nullable(Int32),
  email: nullable(Schema.String),
  email_verified: nullable(Schema.Boolean),
  email_bounced: nullable(Schema.Boolean),
  phone: nullable(Schema.String),
  date_of_birth: nullable(Schema.String),
  locale: nullable(Schema.String),
  premium_type: nullable(Int32),
  premium_since: nullable(Timestamp),
  premium_until: nullable(Timestamp),
  suspicious_activity_flags: Int32,
  temp_banned_until: nullable(Timestamp),
  pending_deletion_at: nullable(Timestamp),
  pending_bulk_message_deletion_at: nullable(Timestamp),
  deletion_reason_code: nullable(Int32),
  deletion_public_reason: nullable(Schema.String),
  acls: Schema.Array(Schema.String),
  traits: Schema.Array(Schema.String),
  has_totp: Schema.Boolean,
  authenticator_types: Schema.Array(Int32),
  last_active_at: nullable(Timestamp),
  last_active_ip: nullable(Schema.String),
  last_active_ip_reverse: nullable(Schema.String),
  last_active_location: nullable(Schema.String)
}).annotations({ identifier: "User", description: "An account as administrators see it." })
export interface UserResource extends Schema.Schema.Type<typeof UserResource> {}

const timestamp = (moment: Option.Option<DateTime.Utc>): string | null =>
  Option.match(moment, { onNone: () => null, onSome: DateTime.formatIso })

/** Converts an account to its resource. */
export const fromEntity = (user: User): UserResource => ({
  id: user.id,
  username: user.username,
  discriminator: user.discriminator,
  global_name: Option.getOrNull(user.globalName),
  bot: user.bot,
  system: user.system,
  flags: user.flags.toString(),
  avatar: Option.getOrNull(user.avatar),
  banner: Option.getOrNull(user.banner),
  bio: Option.getOrNull(user.bio),
  pronouns: Option.getOrNull(user.pronouns),
  accent_color: Option.getOrNull(user.accentColor),
  email: Option.getOrNull(user.email),
  email_verified: Option.getOrNull(user.emailVerified),
  email_bounced: Option.getOrNull(user.emailBounced),
  phone: Option.getOrNull(user.phone),
  date_of_birth: Option.getOrNull(user.dateOfBirth),
  locale: Option.getOrNull(user.locale),
  premium_type: Option.getOrNull(user.premiumType),
  premium_since: timestamp(user.premiumSince),
  premium_until: timestamp(user.premiumUntil),
  suspicious_activity_flags: user.suspiciousActivityFlags,
  temp_banned_until: timestamp(user.tempBannedUntil),
  pending_deletion_at: timestamp(user.pendingDeletionAt),
  pending_bulk_message_deletion_at: timestamp(user.pendingBulkMessageDeletionAt),
  deletion_reason_code: Option.getOrNull(user.deletionReasonCode),
  deletion_public_reason: Option.getOrNull(user.deletionPublicReason),
  acls: user.acls,
  traits: user.traits,
  has_totp: user.hasTotp,
  authenticator_types: user.authenticatorTypes,
  last_active_at: timestamp(user.lastActiveAt),
  last_active_ip: Option.getOrNull(user.lastActiveIp),
  last_active_ip_reverse: Option.getOrNull(user.lastActiveIpReverse),
  last_active_location: Option.getOrNull(user.lastActiveLocation)
})
