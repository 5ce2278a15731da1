import { AccessControl, AdminKeyName } from "@community-messaging/domain/access/Credential"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import * as User from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { PROGRAM } from "@community-messaging/domain/audit/AuditRecord"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Guilds } from "@community-messaging/domain/guild/Guilds"
import { Memberships } from "@community-messaging/domain/guild/Memberships"
import { RoleId } from "@community-messaging/domain/guild/Role"
import * as Application from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import { Name } from "@community-messaging/domain/shared-kernel/Name"
import { PermissionsFromString } from "@community-messaging/domain/shared-kernel/Permissions"
import { toId } from "@community-messaging/domain/shared-kernel/Snowflake"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { WebhookNameFromText } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as UserResource from "@community-messaging/http-adapter/accounts/UserResource"
import * as WebhookResource from "@community-messaging/http-adapter/webhooks/WebhookResource"
import { Effect, Option, Redacted, Schema } from "effect"
import { invalidField, operation } from "./InvalidInput.ts"
import { optional } from "./OptionalField.ts"

/* The entities that the operations of the API need: accounts, guilds, and credentials. */

/** Several writes and reads in one transaction. */
const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.atomically(effect))

const nextId = Effect.flatMap(SnowflakeGenerator, ({ next }) => next)

const liveUser = Effect.fnUntraced(function*(userId: User.UserId) {
  return yield* User.requireAccount(userId, yield* (yield* UserRepository).find(userId))
})

/** Creates an account. */
export const createUser = operation(
  Schema.Struct({
    username: User.Username,
    discriminator: optional(integer("int32", { minimum: 0, maximum: 9999 })),
    global_name: optional(User.DisplayName),
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

/** Creates a guild. Its owner is its first member. */
export const createGuild = operation(
  Schema.Struct({ name: Name, owner_id: User.UserId }),
  Effect.fnUntraced(function*({ name, owner_id: ownerId }) {
    const { id } = yield* (yield* Guilds).create({ name, ownerId })
    return { id, name, owner_id: ownerId }
  })
)

/** Creates a channel. */
export const createChannel = operation(
  Schema.Struct({ guild_id: GuildId, name: Name }),
  Effect.fnUntraced(function*({ guild_id: guildId, name }) {
    const { id } = yield* (yield* Guilds).createChannel({ guildId, name })
    return { id, guild_id: guildId, name }
  })
)

/** Creates a role. `permissions` is a bit set as a decimal number. */
export const createRole = operation(
  Schema.Struct({ guild_id: GuildId, name: Name, permissions: PermissionsFromString }),
  Effect.fnUntraced(function*({ guild_id: guildId, name, permissions }) {
    const { id } = yield* (yield* Guilds).createRole({ guildId, name, permissions })
    return { id, guild_id: guildId, name, permissions: permissions.toString() }
  })
)

/** Adds an account to a guild, or changes its nickname and roles there. Fields that are left out do not change. */
export const saveMember = operation(
  Schema.Struct({
    guild_id: GuildId,
    user_id: User.UserId,
    nickname: optional(Schema.NullOr(User.DisplayName)),
    role_ids: optional(Schema.Array(RoleId))
  }),
  Effect.fnUntraced(function*({ guild_id: guildId, nickname, role_ids: roleIds, user_id: userId }) {
    const changes = { roleIds, ...(nickname !== undefined && { nickname: Option.fromNullable(nickname) }) }
    yield* Effect.catchTag(
      (yield* Memberships).save(guildId, userId, changes),
      "UnknownRole",
      ({ roleId }) => invalidField(`role_ids.${roleIds?.indexOf(roleId)}`, "must be a role of the guild")
    )
  })
)

/** Removes an account from a guild. Does nothing if it is not a member. */
export const removeMember = operation(
  Schema.Struct({ guild_id: GuildId, user_id: User.UserId }),
  Effect.fnUntraced(function*({ guild_id: guildId, user_id: userId }) {
    yield* (yield* Memberships).remove(guildId, userId)
  })
)

/** Registers an OAuth2 application. */
export const createApplication = operation(
  Schema.Struct({
    name: Name,
    bot_user_id: optional(User.UserId),
    redirect_uris: optional(Schema.Array(Application.RedirectUri))
  }),
  Effect.fnUntraced(function*({ bot_user_id: botUserId, name, redirect_uris: redirectUris = [] }) {
    if (botUserId !== undefined) {
      // So that the account is not deleted in the meantime.
      yield* (yield* UnitOfWork).lock({ kind: "account", id: botUserId })
      if (!(yield* liveUser(botUserId)).bot) return yield* invalidField("bot_user_id", "must be a bot account")
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
    const { token, webhook } = yield* (yield* Webhooks).create({ channelId, name }, PROGRAM)
    return WebhookResource.fromEntity(webhook, Redacted.value(token))
  })
)

/** Issues a token of a bot account for the HTTP API. It cannot be read again later. */
export const issueBotToken = operation(
  Schema.Struct({ user_id: User.UserId }),
  Effect.fnUntraced(function*({ user_id: userId }) {
    const { credential, token } = yield* (yield* Credentials).issueBotToken(userId, PROGRAM)
    return { id: credential.id, token: Redacted.value(token) }
  })
)

/** Issues an admin key for the HTTP API. It cannot be read again later. */
export const issueAdminKey = operation(
  Schema.Struct({ name: AdminKeyName, acls: Schema.Array(AccessControl) }),
  Effect.fnUntraced(function*(input) {
    const { credential, token } = yield* (yield* Credentials).issueAdminKey(input, PROGRAM)
    return { id: credential.id, token: Redacted.value(token) }
  })
)

/** Revokes a bot token or an admin key. Revoking it again has no effect. */
export const revokeCredential = operation(
  Schema.Struct({ id: CredentialId }),
  Effect.fnUntraced(function*({ id }) {
    yield* (yield* Credentials).revoke(id, PROGRAM)
  })
)
