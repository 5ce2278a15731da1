import type { Credential } from "@community-messaging/domain/access/Credential"
import type { TokenDigest } from "@community-messaging/domain/access/Token"
import type { User, UserId } from "@community-messaging/domain/account/User"
import type { SequencedAuditRecord } from "@community-messaging/domain/audit/AuditLog"
import type { Channel, ChannelId } from "@community-messaging/domain/guild/Channel"
import type { Guild, GuildId } from "@community-messaging/domain/guild/Guild"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import type { Role, RoleId } from "@community-messaging/domain/guild/Role"
import type { Message, MessageId } from "@community-messaging/domain/message/Message"
import type { Application, ApplicationId } from "@community-messaging/domain/oauth2/Application"
import type { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import type {
  ScheduledMessage,
  ScheduledMessageId
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import type { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import type { SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Avatar, AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { type DateTime, Option, Order } from "effect"
import * as Table from "./Table.ts"

const id: Order.Order<Snowflake.Snowflake> = Snowflake.compare
const text = Order.string

/** The tables without data. */
export const empty = {
  applications: Table.empty<ApplicationId, Application>(id),
  auditRecords: Table.empty<number, SequencedAuditRecord>(Order.number),
  avatars: Table.empty<AvatarHash, Avatar>(text),
  channels: Table.empty<ChannelId, Channel>(id),
  codes: Table.empty<TokenDigest, AuthorizationCode>(text),
  /** By account and application. */
  consents: Table.empty<string, Consent>(text),
  credentials: Table.empty<CredentialId, Credential>(id),
  credentialsByDigest: Table.empty<TokenDigest, CredentialId>(text),
  deletionLeases: Table.empty<UserId, DateTime.Utc>(id),
  /** When a webhook last received a delivery or an announcement, by `webhook:delivery`. */
  deliveries: Table.empty<string, DateTime.Utc>(text),
  events: Table.empty<number, SequencedEvent>(Order.number),
  /** The sequence number of the last appended event. The number of a removed event is not used again. */
  lastEventSequence: 0,
  grants: Table.empty<TokenDigest, AccessGrant>(text),
  guilds: Table.empty<GuildId, Guild>(id),
  /** By guild and account. */
  memberships: Table.empty<string, Membership>(text),
  messages: Table.empty<MessageId, Message>(id),
  roles: Table.empty<RoleId, Role>(id),
  /** By guild and role. */
  rolesOfGuild: Table.empty<string, Role>(text),
  scheduledMessages: Table.empty<ScheduledMessageId, ScheduledMessage>(id),
  scheduledMessageLeases: Table.empty<ScheduledMessageId, DateTime.Utc>(id),
  /** By account and scheduled message. */
  scheduledMessagesOfAuthor: Table.empty<string, ScheduledMessage>(text),
  /** The epoch of the ids, as Unix milliseconds; none before the first start. */
  snowflakeEpoch: Option.none<number>(),
  users: Table.empty<UserId, User>(id),
  /** Accounts by the uniqueness key of their e-mail address. */
  usersByEmail: Table.empty<string, UserId>(text),
  webhooks: Table.empty<WebhookId, Webhook>(id)
}

/**
 * All stored data. A copy of this object is a snapshot, because each table is immutable. Only what requests look for all the
 * time has an index: tokens, e-mail addresses, the roles of a guild, and the scheduled messages of an author. A scan of the
 * table finds the rest.
 */
export type Tables = typeof empty
