import type { User } from "@community-messaging/domain/account/User"
import { Option, Schema } from "effect"
import { field, Int32, isoOrNull, nullable, Snowflake, Timestamp } from "../wire/WireType.ts"

/** An account as administrators see it. Source: API reference, User; API gaps, Wire conventions. */
export const UserResource = Schema.Struct({
  id: field(Snowflake, "Identifies the account."),
  username: field(Schema.String, "The name of the account."),
  discriminator: field(
    Int32.annotations({ jsonSchema: { type: "integer", format: "int32", minimum: 0, maximum: 9999 } }),
    "Distinguishes accounts with the same name, 0 to 9999."
  ),
  global_name: field(nullable(Schema.String), "The display name."),
  bot: field(Schema.Boolean, "Whether the account is a bot."),
  system: field(
    Schema.Boolean,
    "Whether the account belongs to the platform itself. Such an account cannot be deleted."
  ),
  flags: field(
    Schema.String.annotations({ jsonSchema: { type: "string", pattern: "^(0|[1-9][0-9]*)$" } }),
    "Properties of the account, a bit set as a decimal number."
  ),
  avatar: field(nullable(Schema.String), "The hash of the avatar image."),
  banner: field(nullable(Schema.String), "The hash of the banner image."),
  bio: field(nullable(Schema.String), "The text that the user wrote about themselves."),
  pronouns: field(nullable(Schema.String), "The pronouns of the user."),
  accent_color: field(nullable(Int32), "The colour of the profile, 24-bit RGB."),
  email: field(nullable(Schema.String), "The e-mail address."),
  email_verified: field(nullable(Schema.Boolean), "Whether the user confirmed the e-mail address."),
  email_bounced: field(nullable(Schema.Boolean), "Whether mail to the address came back."),
  phone: field(nullable(Schema.String), "The phone number."),
  date_of_birth: field(nullable(Schema.String), "The date of birth, such as `1989-06-15`."),
  locale: field(nullable(Schema.String), "The language of the user, such as `is-IS`."),
  premium_type: field(nullable(Int32), "The kind of paid subscription."),
  premium_since: field(nullable(Timestamp), "When the paid subscription began."),
  premium_until: field(nullable(Timestamp), "When the paid subscription ends."),
  suspicious_activity_flags: field(Int32, "Kinds of suspicious activity, a bit set."),
  temp_banned_until: field(nullable(Timestamp), "When a temporary ban ends."),
  pending_deletion_at: field(nullable(Timestamp), "When the account is deleted, if a deletion is scheduled."),
  pending_bulk_message_deletion_at: field(
    nullable(Timestamp),
    "When all messages of the account are deleted, if that is scheduled."
  ),
  deletion_reason_code: field(nullable(Int32), "The code of the reason for the scheduled deletion."),
  deletion_public_reason: field(nullable(Schema.String), "The public reason for the scheduled deletion."),
  acls: field(Schema.Array(Schema.String), "The access controls of the account."),
  traits: field(Schema.Array(Schema.String), "Labels of the account."),
  has_totp: field(Schema.Boolean, "Whether the account has one-time passwords as a second factor."),
  authenticator_types: field(Schema.Array(Int32), "The kinds of second factors that the account has."),
  last_active_at: field(nullable(Timestamp), "When the user was last active."),
  last_active_ip: field(nullable(Schema.String), "The IP address at that time."),
  last_active_ip_reverse: field(nullable(Schema.String), "The host name of that address."),
  last_active_location: field(nullable(Schema.String), "The place of that address.")
}).annotations({ identifier: "User", description: "An account as administrators see it." })
export interface UserResource extends Schema.Schema.Type<typeof UserResource> {}

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
  premium_since: isoOrNull(user.premiumSince),
  premium_until: isoOrNull(user.premiumUntil),
  suspicious_activity_flags: user.suspiciousActivityFlags,
  temp_banned_until: isoOrNull(user.tempBannedUntil),
  pending_deletion_at: isoOrNull(user.pendingDeletionAt),
  pending_bulk_message_deletion_at: isoOrNull(user.pendingBulkMessageDeletionAt),
  deletion_reason_code: Option.getOrNull(user.deletionReasonCode),
  deletion_public_reason: Option.getOrNull(user.deletionPublicReason),
  acls: user.acls,
  traits: user.traits,
  has_totp: user.hasTotp,
  authenticator_types: user.authenticatorTypes,
  last_active_at: isoOrNull(user.lastActiveAt),
  last_active_ip: Option.getOrNull(user.lastActiveIp),
  last_active_ip_reverse: Option.getOrNull(user.lastActiveIpReverse),
  last_active_location: Option.getOrNull(user.lastActiveLocation)
})
