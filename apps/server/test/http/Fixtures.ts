import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import type { AccessControl } from "@community-messaging/domain/access/Credential"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import * as Users from "@community-messaging/domain/account/User"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { Embed } from "@community-messaging/domain/message/Embed"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { DateTime, Effect, Option, Redacted } from "effect"

/*
 * The data before a request: every call makes new objects with new ids, so that suites can share a storage.
 */

const commandLine = { _tag: "CommandLine" } as const

const nextId = Effect.orDie(Effect.flatMap(SnowflakeGenerator, (snowflakes) => snowflakes.next))

const nextUserId = Effect.map(nextId, (id) => Users.UserId.make(id))

/** An account that is not a bot. */
export const person = (
  options: Partial<Omit<Parameters<typeof Users.create>[0], "id">> = {},
  change: (user: Users.User) => Users.User = (user) => user
) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const id = yield* nextUserId
    const user = change(Users.create({ username: `person-${id}`, ...options, id }))
    yield* Effect.orDie(users.save(user))
    return user
  })

/** A bot account with a token. */
export const bot = Effect.gen(function*() {
  const credentials = yield* Credentials
  const user = yield* person({ bot: true })
  const { credential, token } = yield* Effect.orDie(credentials.issueBotToken(user.id, commandLine))
  return { user, token, credential }
})

/** A bot account with a token, scheduled for deletion. */
export const botInDeletion = Effect.gen(function*() {
  const users = yield* UserRepository
  const made = yield* bot
  yield* Effect.orDie(users.save({ ...made.user, pendingDeletionAt: Option.some(yield* DateTime.now) }))
  return made
})

/** An admin key with these rights. */
export const adminKey = (...acls: ReadonlyArray<AccessControl>) =>
  Effect.flatMap(
    Credentials,
    (credentials) => Effect.orDie(credentials.issueAdminKey({ name: "an operator", acls }, commandLine))
  )

/** A guild of that owner, who is not a member yet. */
export const guild = (ownerId: Users.UserId) => Effect.orDie(Saved.guild({ ownerId }))

/** A role with these permission bits. */
export const role = (guildId: GuildId, permissions: bigint) =>
  Effect.orDie(Saved.role({ guildId, permissions: Permissions.make(permissions) }))

/** Makes the account a member of the guild. */
export const member = (guildId: GuildId, userId: Users.UserId, membership: Partial<Membership> = {}) =>
  Effect.orDie(Saved.membership({ ...membership, guildId, userId }))

/** A bot that owns a guild and is a member of it. */
export const botWithGuild = Effect.gen(function*() {
  const owner = yield* bot
  const owned = yield* guild(owner.user.id)
  yield* member(owned.id, owner.user.id)
  return { ...owner, guild: owned }
})

/** A channel of that guild. */
export const channel = (guildId: GuildId) => Effect.orDie(Saved.channel({ guildId }))

/** A webhook with its token, in a channel of its own, and its path in the API. */
export const webhook = Effect.gen(function*() {
  const webhooks = yield* Webhooks
  const { id } = yield* guild((yield* person()).id)
  const { id: channelId } = yield* channel(id)
  const made = yield* Effect.orDie(webhooks.create({ channelId, name: WebhookName.make("Builds") }, commandLine))
  return { ...made, path: `/v1/webhooks/${made.webhook.id}/${Redacted.value(made.token)}` }
})

/** A PNG of one pixel, in base64. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

/** The data URI of an avatar of that many bytes, which are not an image. */
export const noImage = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString("base64")}`

/** The sequence number of the last event. */
export const lastEvent = Effect.flatMap(EventLog, ({ end }) => Effect.orDie(end))

/** Causes an event of a new account. */
export const happening = Effect.gen(function*() {
  const { id } = yield* person()
  const { append } = yield* EventLog
  yield* Effect.orDie(append(UserDeleted.make({ version: 1, userId: id })))
  return id
})

/** An embed with that title and nothing else. */
export const embed = (title: string): Embed => Embed.make({ title: Option.some(title) })

/** An application with these redirect URIs. */
export const application = (
  redirectUris: ReadonlyArray<string>,
  botUserId: Option.Option<Users.UserId> = Option.none()
) =>
  Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    const made = Samples.application({ botUserId, redirectUris })
    yield* Effect.orDie(applications.save(made))
    return made
  })

/** A pending message of that author, an hour from now. */
export const scheduledMessage = (authorId: Users.UserId, fields: Partial<ScheduledMessage> = {}) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessageRepository
    const now = yield* DateTime.now
    const made = ScheduledMessage.make({
      id: ScheduledMessageId.make(yield* nextId),
      channelId: ChannelId.make(yield* nextId),
      scheduledAt: DateTime.add(now, { hours: 1 }),
      scheduledLocalAt: LocalDateTime.make("2027-03-28T09:30:00"),
      timezone: TimeZoneName.make("Europe/Berlin"),
      status: "pending",
      payload: MessagePayload.make({ content: Option.some("hello") }),
      createdAt: now,
      ...fields,
      authorId
    })
    yield* Effect.orDie(messages.insert(made))
    return made
  })
