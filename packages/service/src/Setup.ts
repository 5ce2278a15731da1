import { AccessControl, AdminKeyName } from "@community-messaging/domain/access/Credential"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import * as User from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId, UnknownGuild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MemberJoined, MemberLeft, MemberUpdated } from "@community-messaging/domain/guild/MemberEvents"
import { JOIN_SOURCE_TYPE, type Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import * as Application from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import { PermissionsFromString } from "@community-messaging/domain/shared-kernel/Permissions"
import { toId } from "@community-messaging/domain/shared-kernel/Snowflake"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { WebhookNameFromText } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as UserResource from "@community-messaging/http-adapter/accounts/UserResource"
import * as WebhookResource from "@community-messaging/http-adapter/webhooks/WebhookResource"
import { DateTime, Effect, Either, Option, Redacted, Schema } from "effect"
import { invalidField, operation } from "./InvalidInput.ts"
import { optional } from "./OptionalField.ts"

/* The entities that the operations of the API need: accounts, guilds, and credentials. */

/** The program that embeds the service, in audit records. */
export const ACTOR: AuditActor = { _tag: "CommandLine" }

const Name = Schema.NonEmptyString.annotations({ message: () => "must be a text that is not empty" })

/** Several writes and reads in one transaction. */
const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.atomically(effect))

/** Locks an account, whose deletion would otherwise miss a membership that is stored at the same time. */
const lockAccount = (userId: User.UserId) =>
  Effect.flatMap(UnitOfWork, ({ lock }) => lock({ kind: "account", id: userId }))

const nextId = Effect.flatMap(SnowflakeGenerator, ({ next }) => next)

const liveUser = Effect.fnUntraced(function*(userId: User.UserId) {
  const found = yield* (yield* UserRepository).find(userId)
  return yield* Either.fromOption(
    Option.filter(found, (user) => !User.isDeleted(user)),
    () => new User.UnknownUser({ userId })
  )
})

const knownGuild = Effect.fnUntraced(function*(guildId: GuildId) {
  const found = yield* (yield* GuildRepository).find(guildId)
  return yield* Either.fromOption(found, () => new UnknownGuild({ guildId }))
})

/** Creates an account. */
export const createUser = operation(
  Schema.Struct({
    username: Name,
    discriminator: optional(integer("int32", { minimum: 0, maximum: 9999 })),
    global_name: optional(Schema.String),
    bot: optional(Schema.Boolean),
    email: optional(Schema.compose(Schema.Trim, EmailAddress))
  }),
  Effect.fnUntraced(function*({ global_name: globalName, ...others }) {
    const id = toId(User.UserId, yield* nextId)
    const user = User.create({ id, ...others, ...(globalName !== undefined && { globalName }) })
    yield* (yield* UserRepository).save(user)
    return UserResource.fromEntity(user)
  })
)

const membershipOf = (
  guildId: GuildId,
  userId: User.UserId,
  joinSourceType: number,
  now: DateTime.Utc
): Membership => ({
  guildId,
  userId,
  nickname: Option.none(),
  roleIds: [],
  joinedAt: Math.floor(now.epochMillis / 1000),
  joinSourceType: Option.some(joinSourceType),
  sourceInviteCode: Option.none(),
  inviterId: Option.none()
})

/** Creates a guild. Its owner is its first member. */
export const createGuild = operation(
  Schema.Struct({ name: Name, owner_id: User.UserId }),
  Effect.fnUntraced(function*({ name, owner_id: ownerId }) {
    yield* lockAccount(ownerId)
    yield* liveUser(ownerId)
    const id = toId(GuildId, yield* nextId)
    yield* (yield* GuildRepository).save({ id, name, ownerId })
    const membership = membershipOf(id, ownerId, JOIN_SOURCE_TYPE.creator, yield* DateTime.now)
    yield* (yield* MembershipRepository).save(membership)
    yield* (yield* EventLog).append(MemberJoined.of({ guildId: id, userId: ownerId }))
    return { id, name, owner_id: ownerId }
  }, atomically)
)

/** Creates a channel. */
export const createChannel = operation(
  Schema.Struct({ guild_id: GuildId, name: Name }),
  Effect.fnUntraced(function*({ guild_id: guildId, name }) {
    yield* knownGuild(guildId)
    const id = toId(ChannelId, yield* nextId)
    yield* (yield* GuildRepository).saveChannel({ id, guildId, name })
    return { id, guild_id: guildId, name }
  }, atomically)
)

/** Creates a role. `permissions` is a bit set as a decimal number. */
export const createRole = operation(
  Schema.Struct({ guild_id: GuildId, name: Name, permissions: PermissionsFromString }),
  Effect.fnUntraced(function*({ guild_id: guildId, name, permissions }) {
    yield* knownGuild(guildId)
    const id = toId(RoleId, yield* nextId)
    yield* (yield* GuildRepository).saveRole({ id, guildId, name, permissions, managedBy: Option.none() })
    return { id, guild_id: guildId, name, permissions: permissions.toString() }
  }, atomically)
)

/** Adds an account to a guild, or replaces its nickname and roles there. Fields that are left out do not change. */
export const saveMember = operation(
  Schema.Struct({
    guild_id: GuildId,
    user_id: User.UserId,
    nickname: optional(Schema.NullOr(Schema.String)),
    role_ids: optional(Schema.Array(RoleId))
  }),
  Effect.fnUntraced(function*({ guild_id: guildId, nickname, role_ids: roleIds, user_id: userId }) {
    yield* lockAccount(userId)
    yield* knownGuild(guildId)
    yield* liveUser(userId)
    const roles = yield* (yield* GuildRepository).roles(guildId)
    const foreign = roleIds?.findIndex((id) => !roles.some((role) => role.id === id)) ?? -1
    if (foreign !== -1) return yield* invalidField(`role_ids.${foreign}`, "must be a role of the guild")
    const memberships = yield* MembershipRepository
    const before = yield* memberships.find(guildId, userId)
    const now = yield* DateTime.now
    const member = Option.getOrElse(
      before,
      () => membershipOf(guildId, userId, JOIN_SOURCE_TYPE.addedByAdministrator, now)
    )
    yield* memberships.save({
      ...member,
      ...(nickname !== undefined && { nickname: Option.fromNullable(nickname) }),
      ...(roleIds !== undefined && { roleIds: Array.from(new Set(roleIds)) })
    })
    const event = Option.isSome(before) ? MemberUpdated : MemberJoined
    yield* (yield* EventLog).append(event.of({ guildId, userId }))
  }, atomically)
)

/** Removes an account from a guild. Does nothing if it is not a member. */
export const removeMember = operation(
  Schema.Struct({ guild_id: GuildId, user_id: User.UserId }),
  Effect.fnUntraced(function*({ guild_id: guildId, user_id: userId }) {
    yield* lockAccount(userId)
    const memberships = yield* MembershipRepository
    if (Option.isNone(yield* memberships.find(guildId, userId))) return
    yield* memberships.remove(guildId, userId)
    yield* (yield* EventLog).append(MemberLeft.of({ guildId, userId }))
  }, atomically)
)

/** Registers an OAuth2 application. */
export const createApplication = operation(
  Schema.Struct({
    name: Name,
    bot_user_id: optional(User.UserId),
    redirect_uris: optional(Schema.Array(Application.RedirectUri))
  }),
  Effect.fnUntraced(function*({ bot_user_id: botUserId, name, redirect_uris: redirectUris = [] }) {
    if (botUserId !== undefined && !(yield* liveUser(botUserId)).bot) {
      return yield* invalidField("bot_user_id", "must be a bot account")
    }
    const id = toId(Application.ApplicationId, yield* nextId)
    const application = { id, name, botUserId: Option.fromNullable(botUserId), redirectUris }
    const [violation] = Application.violations(application)
    if (violation !== undefined) return yield* invalidField("redirect_uris", violation.reason)
    yield* (yield* ApplicationRepository).save(application)
    return { id, name, bot_user_id: botUserId ?? null, redirect_uris: redirectUris }
  }, atomically)
)

/** Creates a webhook. Its token cannot be read again later. */
export const createWebhook = operation(
  Schema.Struct({ channel_id: ChannelId, name: WebhookNameFromText }),
  Effect.fnUntraced(function*({ channel_id: channelId, name }) {
    const { token, webhook } = yield* (yield* Webhooks).create({ channelId, name }, ACTOR)
    return WebhookResource.fromEntity(webhook, Redacted.value(token))
  })
)

/** Issues a token of a bot account for the HTTP API. It cannot be read again later. */
export const issueBotToken = operation(
  Schema.Struct({ user_id: User.UserId }),
  Effect.fnUntraced(function*({ user_id: userId }) {
    const { credential, token } = yield* (yield* Credentials).issueBotToken(userId, ACTOR)
    return { id: credential.id, token: Redacted.value(token) }
  })
)

/** Issues an admin key for the HTTP API. It cannot be read again later. */
export const issueAdminKey = operation(
  Schema.Struct({ name: AdminKeyName, acls: Schema.Array(AccessControl) }),
  Effect.fnUntraced(function*(input) {
    const { credential, token } = yield* (yield* Credentials).issueAdminKey(input, ACTOR)
    return { id: credential.id, token: Redacted.value(token) }
  })
)

/** Revokes a bot token or an admin key. Revoking it again has no effect. */
export const revokeCredential = operation(
  Schema.Struct({ id: CredentialId }),
  Effect.fnUntraced(function*({ id }) {
    yield* (yield* Credentials).revoke(id, ACTOR)
  })
)
