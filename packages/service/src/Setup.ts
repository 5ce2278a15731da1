import { AccessControl, AdminKeyName } from "@community-messaging/domain/access/Credential"
import { Credentials, type Issued } from "@community-messaging/domain/access/Credentials"
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
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
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

const liveUser = (userId: User.UserId) =>
  Effect.flatMap(
    Effect.flatMap(UserRepository, ({ find }) => find(userId)),
    (found) =>
      Option.match(Option.filter(found, (user) => !User.isDeleted(user)), {
        onNone: () => new User.UnknownUser({ userId }),
        onSome: Effect.succeed
      })
  )

const knownGuild = (guildId: GuildId) =>
  Effect.flatMap(
    Effect.flatMap(GuildRepository, ({ find }) => find(guildId)),
    (found) => Option.match(found, { onNone: () => new UnknownGuild({ guildId }), onSome: Effect.succeed })
  )

/** Creates an account. */
export const createUser = operation(
  Schema.Struct({
    username: Name,
    discriminator: optional(integer("int32", { minimum: 0, maximum: 9999 })),
    global_name: optional(Schema.String),
    bot: optional(Schema.Boolean),
    email: optional(Schema.compose(Schema.Trim, EmailAddress))
  }),
  ({ bot, discriminator, email, global_name: globalName, username }) =>
    Effect.gen(function*() {
      const user = User.create({
        id: toId(User.UserId, yield* nextId),
        username,
        ...(discriminator !== undefined && { discriminator }),
        ...(globalName !== undefined && { globalName }),
        ...(bot !== undefined && { bot }),
        ...(email !== undefined && { email })
      })
      yield* Effect.flatMap(UserRepository, ({ save }) => save(user))
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
  ({ name, owner_id: ownerId }) =>
    Effect.gen(function*() {
      yield* lockAccount(ownerId)
      yield* liveUser(ownerId)
      const id = toId(GuildId, yield* nextId)
      yield* Effect.flatMap(GuildRepository, ({ save }) => save({ id, name, ownerId }))
      const membership = membershipOf(id, ownerId, JOIN_SOURCE_TYPE.creator, yield* DateTime.now)
      yield* Effect.flatMap(MembershipRepository, ({ save }) => save(membership))
      yield* Effect.flatMap(EventLog, ({ append }) => append(MemberJoined.of({ guildId: id, userId: ownerId })))
      return { id, name, owner_id: ownerId }
    }).pipe(atomically)
)

/** Creates a channel. */
export const createChannel = operation(
  Schema.Struct({ guild_id: GuildId, name: Name }),
  ({ guild_id: guildId, name }) =>
    Effect.gen(function*() {
      yield* knownGuild(guildId)
      const id = toId(ChannelId, yield* nextId)
      yield* Effect.flatMap(GuildRepository, ({ saveChannel }) => saveChannel({ id, guildId, name }))
      return { id, guild_id: guildId, name }
    }).pipe(atomically)
)

/** Creates a role. `permissions` is a bit set as a decimal number. */
export const createRole = operation(
  Schema.Struct({ guild_id: GuildId, name: Name, permissions: PermissionsFromString }),
  ({ guild_id: guildId, name, permissions }) =>
    Effect.gen(function*() {
      yield* knownGuild(guildId)
      const role = { id: toId(RoleId, yield* nextId), guildId, name, permissions, managedBy: Option.none() }
      yield* Effect.flatMap(GuildRepository, ({ saveRole }) => saveRole(role))
      return { id: role.id, guild_id: guildId, name, permissions: permissions.toString() }
    }).pipe(atomically)
)

/** Adds an account to a guild, or replaces its nickname and roles there. Fields that are left out do not change. */
export const saveMember = operation(
  Schema.Struct({
    guild_id: GuildId,
    user_id: User.UserId,
    nickname: optional(Schema.NullOr(Schema.String)),
    role_ids: optional(Schema.Array(RoleId))
  }),
  ({ guild_id: guildId, nickname, role_ids: roleIds, user_id: userId }) =>
    Effect.gen(function*() {
      yield* lockAccount(userId)
      yield* knownGuild(guildId)
      yield* liveUser(userId)
      const roles = yield* Effect.flatMap(GuildRepository, (guilds) => guilds.roles(guildId))
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
      yield* Effect.flatMap(EventLog, ({ append }) => append(event.of({ guildId, userId })))
    }).pipe(atomically)
)

/** Removes an account from a guild. Does nothing if it is not a member. */
export const removeMember = operation(
  Schema.Struct({ guild_id: GuildId, user_id: User.UserId }),
  ({ guild_id: guildId, user_id: userId }) =>
    Effect.gen(function*() {
      yield* lockAccount(userId)
      const memberships = yield* MembershipRepository
      if (Option.isNone(yield* memberships.find(guildId, userId))) return
      yield* memberships.remove(guildId, userId)
      yield* Effect.flatMap(EventLog, ({ append }) => append(MemberLeft.of({ guildId, userId })))
    }).pipe(atomically)
)

/** Registers an OAuth2 application. */
export const createApplication = operation(
  Schema.Struct({
    name: Name,
    bot_user_id: optional(User.UserId),
    redirect_uris: optional(Schema.Array(Application.RedirectUri))
  }),
  ({ bot_user_id: botUserId, name, redirect_uris: redirectUris = [] }) =>
    Effect.gen(function*() {
      if (botUserId !== undefined && !(yield* liveUser(botUserId)).bot) {
        return yield* invalidField("bot_user_id", "must be a bot account")
      }
      const id = toId(Application.ApplicationId, yield* nextId)
      const application = { id, name, botUserId: Option.fromNullable(botUserId), redirectUris }
      const [violation] = Application.violations(application)
      if (violation !== undefined) return yield* invalidField("redirect_uris", violation.reason)
      yield* Effect.flatMap(ApplicationRepository, ({ save }) => save(application))
      return { id, name, bot_user_id: botUserId ?? null, redirect_uris: redirectUris }
    }).pipe(atomically)
)

/** Creates a webhook. Its token cannot be read again later. */
export const createWebhook = operation(
  Schema.Struct({ channel_id: ChannelId, name: WebhookNameFromText }),
  ({ channel_id: channelId, name }) =>
    Effect.map(
      Effect.flatMap(Webhooks, ({ create }) => create({ channelId, name }, ACTOR)),
      ({ token, webhook }) => WebhookResource.fromEntity(webhook, Redacted.value(token))
    )
)

const issued = (
  { credential, token }: Pick<Issued<never>, "token"> & { readonly credential: { readonly id: string } }
) => ({
  id: credential.id,
  token: Redacted.value(token)
})

/** Issues a token of a bot account for the HTTP API. It cannot be read again later. */
export const issueBotToken = operation(
  Schema.Struct({ user_id: User.UserId }),
  ({ user_id: userId }) =>
    Effect.map(Effect.flatMap(Credentials, ({ issueBotToken: issue }) => issue(userId, ACTOR)), issued)
)

/** Issues an admin key for the HTTP API. It cannot be read again later. */
export const issueAdminKey = operation(
  Schema.Struct({ name: AdminKeyName, acls: Schema.Array(AccessControl) }),
  (input) => Effect.map(Effect.flatMap(Credentials, ({ issueAdminKey: issue }) => issue(input, ACTOR)), issued)
)

/** Revokes a bot token or an admin key. Revoking it again has no effect. */
export const revokeCredential = operation(
  Schema.Struct({ id: CredentialId }),
  ({ id }) => Effect.asVoid(Effect.flatMap(Credentials, ({ revoke }) => revoke(id, ACTOR)))
)
