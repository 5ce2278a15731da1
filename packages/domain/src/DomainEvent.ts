import { Schema } from "effect"
import { DeletionReasonCode, UserId } from "./account/User.ts"
import { ChannelId } from "./guild/Channel.ts"
import { GuildId } from "./guild/Guild.ts"
import { Message } from "./message/Message.ts"
import { ApplicationId } from "./oauth2/Application.ts"
import { Scope } from "./oauth2/Scope.ts"
import { optionalField } from "./OptionalField.ts"
import { PARTS_CHECKED } from "./PartsChecked.ts"
import { PermissionsFromString } from "./Permissions.ts"
import { type ScheduledMessage, ScheduledMessageId } from "./scheduled-message/ScheduledMessage.ts"
import { ScheduledMessageStatus } from "./scheduled-message/ScheduledMessageStatus.ts"
import { AvatarHash } from "./webhook/Avatar.ts"
import { WebhookId } from "./webhook/WebhookId.ts"

const event = <const Type extends string, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.TaggedStruct(type, { version: Schema.Literal(1), ...fields }).annotations({ identifier: type })

/** A message was posted. */
export const MessageCreated = event("message.created", { message: Message })

/** A scheduled message was made, edited, or went on to another status. */
export const ScheduledMessageUpdated = event("scheduled_message.updated", {
  scheduledMessageId: ScheduledMessageId,
  authorId: UserId,
  status: ScheduledMessageStatus
})

/** What is told of a scheduled message that is made, edited, or goes on to the status that it has now. */
export const scheduledMessageUpdated = (
  { authorId, id, status }: ScheduledMessage
): typeof ScheduledMessageUpdated.Type =>
  ScheduledMessageUpdated.make({ version: 1, scheduledMessageId: id, authorId, status }, PARTS_CHECKED)

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

/** A webhook was made or changed. */
export const WebhookUpdated = event("webhook.updated", {
  webhookId: WebhookId,
  guildId: GuildId,
  channelId: ChannelId,
  name: Schema.String,
  avatar: optionalField(AvatarHash)
})

/** A user granted an application access. */
export const ConsentGranted = event("consent.granted", {
  userId: UserId,
  applicationId: ApplicationId,
  scopes: Schema.Array(Scope),
  guildId: optionalField(GuildId),
  permissions: optionalField(PermissionsFromString)
})

/** An account joined a guild. */
export const MemberJoined = event("member.joined", { guildId: GuildId, userId: UserId })

/** A member's nickname or roles changed. */
export const MemberUpdated = event("member.updated", { guildId: GuildId, userId: UserId })

/** An account left a guild. */
export const MemberLeft = event("member.left", { guildId: GuildId, userId: UserId })

/** Something that happened, in the words of decision 11; `_tag` is its type, `version` the version of its fields. */
export const DomainEvent = Schema.Union(
  MessageCreated,
  ScheduledMessageUpdated,
  UserUpdated,
  UserDeletionScheduled,
  UserDeletionCancelled,
  UserDeleted,
  WebhookUpdated,
  ConsentGranted,
  MemberJoined,
  MemberUpdated,
  MemberLeft
)
export type DomainEvent = typeof DomainEvent.Type
