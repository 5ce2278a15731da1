import { AdminKey, BotToken } from "@community-messaging/domain/access/Credential"
import * as Users from "@community-messaging/domain/account/User"
import { UserUpdated } from "@community-messaging/domain/account/UserEvents"
import type { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { type Channel, ChannelId } from "@community-messaging/domain/guild/Channel"
import { type Guild, GuildId } from "@community-messaging/domain/guild/Guild"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { type Role, RoleId } from "@community-messaging/domain/guild/Role"
import { type Message, MessageId } from "@community-messaging/domain/message/Message"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { type Application, ApplicationId } from "@community-messaging/domain/oauth2/Application"
import type { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import type { ConsentRequest } from "@community-messaging/domain/oauth2/ConsentRequest"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import * as Permissions from "@community-messaging/domain/shared-kernel/Permissions"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Avatar } from "@community-messaging/domain/webhook/Avatar"
import { type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { DateTime, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"

/*
 * Sample entities with new ids. A test changes the fields that it needs. They refer to entities that do not exist, unless
 * given.
 */

/** The time around which tests happen. */
export const NOON = DateTime.unsafeMake("2027-03-01T12:00:00.000Z")

/** The time `millis` milliseconds after noon; before it, if negative. */
export const noonPlus = (millis: number): DateTime.Utc => DateTime.add(NOON, { millis })

/** An account with the name `ada`, without an e-mail address. */
export const user = (changes: Partial<Users.User> = {}): Users.User => ({
  ...Users.create({ id: Users.UserId.make(FreshIds.snowflake()), username: "ada" }),
  ...changes
})

/** A valid token of a bot account. */
export const botToken = (changes: Partial<BotToken> = {}): BotToken =>
  BotToken.make({
    id: CredentialId.make(FreshIds.snowflake()),
    digest: FreshIds.digest(),
    createdAt: NOON,
    userId: Users.UserId.make(FreshIds.snowflake()),
    ...changes
  })

/** A valid admin key that can delete accounts. */
export const adminKey = (changes: Partial<AdminKey> = {}): AdminKey =>
  AdminKey.make({
    id: CredentialId.make(FreshIds.snowflake()),
    digest: FreshIds.digest(),
    createdAt: NOON,
    name: "on call",
    acls: ["user:delete"],
    ...changes
  })

/** A guild. */
export const guild = (changes: Partial<Guild> = {}): Guild => ({
  id: GuildId.make(FreshIds.snowflake()),
  name: "Analytical Engines",
  ownerId: Users.UserId.make(FreshIds.snowflake()),
  ...changes
})

/** A channel of a guild. */
export const channel = (changes: Partial<Channel> = {}): Channel => ({
  id: ChannelId.make(FreshIds.snowflake()),
  guildId: GuildId.make(FreshIds.snowflake()),
  name: "general",
  ...changes
})

/** A role of a guild. */
export const role = (changes: Partial<Role> = {}): Role => ({
  id: RoleId.make(FreshIds.snowflake()),
  guildId: GuildId.make(FreshIds.snowflake()),
  name: "helper",
  permissions: Permissions.NONE,
  managedBy: Option.none(),
  ...changes
})

/** A membership of a guild. */
export const membership = (changes: Partial<Membership> = {}): Membership => ({
  guildId: GuildId.make(FreshIds.snowflake()),
  userId: Users.UserId.make(FreshIds.snowflake()),
  nickname: Option.none(),
  roleIds: [],
  joinedAt: 1_800_000_000,
  joinSourceType: Option.none(),
  sourceInviteCode: Option.none(),
  inviterId: Option.none(),
  ...changes
})

/** A message of a user in a channel. */
export const message = (changes: Partial<Message> = {}): Message => ({
  id: MessageId.make(FreshIds.snowflake()),
  channelId: ChannelId.make(FreshIds.snowflake()),
  guildId: GuildId.make(FreshIds.snowflake()),
  author: { _tag: "User", userId: Users.UserId.make(FreshIds.snowflake()) },
  payload: MessagePayload.make({ content: Option.some("hello") }),
  createdAt: NOON,
  ...changes
})

/** A scheduled message of a user in a channel. */
export const scheduledMessage = (changes: Partial<ScheduledMessage> = {}): ScheduledMessage =>
  ScheduledMessage.make({
    id: ScheduledMessageId.make(FreshIds.snowflake()),
    authorId: Users.UserId.make(FreshIds.snowflake()),
    channelId: ChannelId.make(FreshIds.snowflake()),
    scheduledAt: NOON,
    scheduledLocalAt: LocalDateTime.make("2027-03-01T13:00:00"),
    timezone: TimeZoneName.make("Europe/Berlin"),
    status: "scheduled",
    payload: MessagePayload.make({ content: Option.some("hello") }),
    createdAt: noonPlus(-60_000),
    ...changes
  })

/** A webhook of a channel, without an avatar. */
export const webhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: WebhookId.make(FreshIds.snowflake()),
  guildId: GuildId.make(FreshIds.snowflake()),
  channelId: ChannelId.make(FreshIds.snowflake()),
  name: WebhookName.make("builds"),
  avatar: Option.none(),
  tokenDigest: FreshIds.digest(),
  ...changes
})

/** An image. */
export const avatar = (changes: Partial<Avatar> = {}): Avatar => ({
  hash: FreshIds.avatarHash(),
  contentType: "image/png",
  animated: false,
  bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
  ...changes
})

/** An OAuth2 application. */
export const application = (changes: Partial<Application> = {}): Application => ({
  id: ApplicationId.make(FreshIds.snowflake()),
  name: "Difference Bot",
  botUserId: Option.none(),
  redirectUris: [],
  ...changes
})

/** A request of the application to identify a user. */
export const consentRequest = (
  clientId: ApplicationId,
  changes: Partial<ConsentRequest> = {}
): ConsentRequest => ({
  clientId,
  scope: "identify",
  responseType: Option.none(),
  redirectUri: Option.none(),
  state: Option.none(),
  permissions: Option.none(),
  guildId: Option.none(),
  ...changes
})

/** A consent of a user to an application. */
export const consent = (changes: Partial<Consent> = {}): Consent => ({
  userId: Users.UserId.make(FreshIds.snowflake()),
  applicationId: ApplicationId.make(FreshIds.snowflake()),
  scopes: ["identify"],
  permissions: Permissions.NONE,
  guildId: Option.none(),
  grantedAt: NOON,
  ...changes
})

/** An authorization code that is not redeemed. */
export const code = (changes: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  digest: FreshIds.digest(),
  applicationId: ApplicationId.make(FreshIds.snowflake()),
  userId: Users.UserId.make(FreshIds.snowflake()),
  redirectUri: Option.none(),
  scopes: ["identify"],
  expiresAt: noonPlus(600_000),
  redeemedAt: Option.none(),
  ...changes
})

/** An access grant that is not revoked. */
export const grant = (changes: Partial<AccessGrant> = {}): AccessGrant => ({
  tokenDigest: FreshIds.digest(),
  codeDigest: FreshIds.digest(),
  applicationId: ApplicationId.make(FreshIds.snowflake()),
  userId: Users.UserId.make(FreshIds.snowflake()),
  scopes: ["identify"],
  createdAt: NOON,
  revokedAt: Option.none(),
  ...changes
})

/** An event of the account. */
export const event = (userId: Users.UserId = Users.UserId.make(FreshIds.snowflake())): DomainEvent =>
  UserUpdated.make({ version: 1, userId, changed: ["email"] })

/** An audit record. */
export const auditRecord = (changes: Partial<AuditRecord> = {}): AuditRecord => ({
  actor: { _tag: "CommandLine" },
  action: "user.change_email",
  targetId: FreshIds.snowflake(),
  at: NOON,
  before: {},
  after: {},
  ...changes
})
