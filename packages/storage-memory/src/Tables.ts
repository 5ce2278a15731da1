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
import * as DueQueue from "./DueQueue.ts"
import * as GroupedTable from "./GroupedTable.ts"
import * as Table from "./Table.ts"

/**
 * All stored data as one immutable value. Only what requests and background work look for all the time has an index: tokens,
 * e-mail addresses, the roles of a guild, the scheduled messages of an author, and due work. A scan of the table finds the
 * rest.
 */
export interface Tables {
  readonly applications: Table.Table<ApplicationId, Application>
  readonly auditRecords: Table.Table<number, SequencedAuditRecord>
  readonly avatars: Table.Table<AvatarHash, Avatar>
  readonly channels: Table.Table<ChannelId, Channel>
  readonly codes: Table.Table<TokenDigest, AuthorizationCode>
  readonly consents: GroupedTable.GroupedTable<UserId, ApplicationId, Consent>
  readonly credentials: Table.Table<CredentialId, Credential>
  readonly credentialsByDigest: Table.Table<TokenDigest, CredentialId>
  readonly deletions: DueQueue.DueQueue<UserId>
  /** When a webhook last received a delivery or an announcement, by `webhook:delivery`. */
  readonly deliveries: Table.Table<string, DateTime.Utc>
  readonly events: Table.Table<number, SequencedEvent>
  /** The sequence number of the last appended event. The number of a removed event is not used again. */
  readonly lastEventSequence: number
  readonly grants: Table.Table<TokenDigest, AccessGrant>
  readonly guilds: Table.Table<GuildId, Guild>
  readonly memberships: GroupedTable.GroupedTable<GuildId, UserId, Membership>
  readonly messages: Table.Table<MessageId, Message>
  readonly roles: Table.Table<RoleId, Role>
  readonly rolesOfGuild: GroupedTable.GroupedTable<GuildId, RoleId, Role>
  readonly scheduledMessages: Table.Table<ScheduledMessageId, ScheduledMessage>
  readonly scheduledMessagesDue: DueQueue.DueQueue<ScheduledMessageId>
  readonly scheduledMessagesOfAuthor: GroupedTable.GroupedTable<UserId, ScheduledMessageId, ScheduledMessage>
  /** The epoch of the ids, as Unix milliseconds; none before the first start. */
  readonly snowflakeEpoch: Option.Option<number>
  readonly users: Table.Table<UserId, User>
  /** Accounts by the uniqueness key of their e-mail address. */
  readonly usersByEmail: Table.Table<string, UserId>
  readonly webhooks: Table.Table<WebhookId, Webhook>
}

const id: Order.Order<Snowflake.Snowflake> = Snowflake.compare
const text = Order.string

/** The tables without data. */
export const empty: Tables = {
  applications: Table.empty(id),
  auditRecords: Table.empty(Order.number),
  avatars: Table.empty(text),
  channels: Table.empty(id),
  codes: Table.empty(text),
  consents: GroupedTable.empty(id, id),
  credentials: Table.empty(id),
  credentialsByDigest: Table.empty(text),
  deletions: DueQueue.empty(id),
  deliveries: Table.empty(text),
  events: Table.empty(Order.number),
  lastEventSequence: 0,
  grants: Table.empty(text),
  guilds: Table.empty(id),
  memberships: GroupedTable.empty(id, id),
  messages: Table.empty(id),
  roles: Table.empty(id),
  rolesOfGuild: GroupedTable.empty(id, id),
  scheduledMessages: Table.empty(id),
  scheduledMessagesDue: DueQueue.empty(id),
  scheduledMessagesOfAuthor: GroupedTable.empty(id, id),
  snowflakeEpoch: Option.none(),
  users: Table.empty(id),
  usersByEmail: Table.empty(text),
  webhooks: Table.empty(id)
}
