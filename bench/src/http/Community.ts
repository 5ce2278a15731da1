import { Credentials } from "@community-messaging/domain/access/Credentials"
import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { Embed } from "@community-messaging/domain/message/Embed"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { KNOWN, Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"

/** Sizes. `callers` is the number of bots, of admin keys, of webhooks, and of accounts that administrators change. */
export const SIZE = { members: 10_000, callers: 1056, messagesPerBot: 4 } as const

/** The ids and credentials that requests need. */
export const Facts = Schema.Struct({
  guildId: Schema.String,
  roleIds: Schema.Array(Schema.String),
  application: Schema.Struct({ id: Schema.String, redirectUri: Schema.String }),
  /** Tokens of bots that may manage the guild and have scheduled messages. */
  botTokens: Schema.Array(Schema.String),
  adminKeys: Schema.Array(Schema.String),
  /** Accounts that administrators change. */
  userIds: Schema.Array(Schema.String),
  webhooks: Schema.Array(Schema.Struct({ id: Schema.String, token: Schema.String }))
})
export interface Facts extends Schema.Schema.Type<typeof Facts> {}

const ACTOR = { _tag: "CommandLine" } as const
const REDIRECT_URI = "https://app.example/callback"
const GIVEN = ["ada", "grace", "linus", "mira", "noor", "olga", "pavel", "quinn", "rosa", "søren", "tomás", "yuki"]
const FAMILY = ["abara", "bianchi", "castro", "diaz", "eriksen", "fischer", "garcia", "haddad", "ito", "jansen"]
const NICKNAMES = ["captain", "night owl", "gardener", "the baker", "łucznik"]
const INVITES = ["spring", "garden", "choir", "meetup", "newsletter"]

const at = <A>(items: ReadonlyArray<A>, index: number): A | undefined => items[index % items.length]

const nextId = Effect.flatMap(SnowflakeGenerator, (snowflakes) => snowflakes.next)

const times = <A, E, R>(count: number, make: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }, (_, index) => index), make)

const person = (index: number, bot: boolean) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const given = at(GIVEN, index * 7) ?? ""
    const family = at(FAMILY, Math.floor(index / 3)) ?? ""
    const user = Users.create({
      id: Users.UserId.make(yield* nextId),
      username: `${bot ? "bot_" : ""}${given}_${family}${index}`,
      bot,
      ...(index % 5 !== 0 && { globalName: `${given} ${family}` })
    })
    yield* users.save(user)
    return user
  })

const scheduledMessage = (authorId: Users.UserId, channelId: ChannelId, now: DateTime.Utc, index: number) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessageRepository
    yield* messages.insert(ScheduledMessage.make({
      id: ScheduledMessageId.make(yield* nextId),
      authorId,
      channelId,
      scheduledAt: DateTime.add(now, { days: 30 + index }),
      scheduledLocalAt: LocalDateTime.make("2027-03-28T09:30:00"),
      timezone: TimeZoneName.make("Europe/Berlin"),
      // A `pending` message would be work for the server's background work.
      status: "scheduled",
      payload: MessagePayload.make({
        content: Option.some(`Reminder ${index}: the meeting begins at half past nine.`),
        embeds: Option.some([
          Embed.make({
            title: Option.some("Agenda"),
            description: Option.some("Minutes of last time, repairs, the summer fair, any other business.")
          })
        ])
      }),
      createdAt: now
    }))
  })

/** Makes the community in an empty storage. */
export const make = Effect.gen(function*() {
  const guilds = yield* GuildRepository
  const memberships = yield* MembershipRepository
  const credentials = yield* Credentials
  const applications = yield* ApplicationRepository
  const webhookService = yield* Webhooks
  const { atomically } = yield* UnitOfWork
  const now = yield* DateTime.now

  const community = Effect.gen(function*() {
    const people = yield* times(SIZE.members - SIZE.callers, (index) => person(index, false))
    const bots = yield* times(SIZE.callers, (index) => person(index, true))
    const owner = Option.getOrThrow(Option.fromNullable(people[0]))

    const guildId = GuildId.make(yield* nextId)
    const channelId = ChannelId.make(yield* nextId)
    yield* guilds.save({ id: guildId, name: "A large guild", ownerId: owner.id })
    yield* guilds.saveChannel({ id: channelId, guildId, name: "general" })
    const roles = yield* times(6, (index) =>
      Effect.gen(function*() {
        const id = RoleId.make(yield* nextId)
        const permissions = Permissions.make(index === 0 ? KNOWN.MANAGE_GUILD : KNOWN.SEND_MESSAGES)
        yield* guilds.saveRole({ id, guildId, name: `role ${index}`, permissions, managedBy: Option.none() })
        return id
      }))
    const [managers] = roles
    yield* Effect.forEach([...people, ...bots], (user, index) =>
      memberships.save({
        guildId,
        userId: user.id,
        nickname: index % 7 === 0 ? Option.fromNullable(at(NICKNAMES, index)) : Option.none(),
        roleIds: roles.filter((_, role) => role === 0 ? user.bot : index % (role + 2) === 0),
        joinedAt: 1_600_000_000 + index * 977,
        joinSourceType: Option.some(index % 3 === 0 ? 6 : 1),
        sourceInviteCode: index % 3 === 0 ? Option.none() : Option.fromNullable(at(INVITES, index)),
        inviterId: index % 3 === 0 ? Option.none() : Option.some(owner.id)
      }), { discard: true })

    const applicationId = ApplicationId.make(yield* nextId)
    yield* applications.save({
      id: applicationId,
      name: "An application",
      botUserId: Option.none(),
      redirectUris: [REDIRECT_URI]
    })
    const botTokens = yield* Effect.forEach(bots, ({ id }) =>
      Effect.gen(function*() {
        yield* times(SIZE.messagesPerBot, (index) => scheduledMessage(id, channelId, now, index))
        return Redacted.value((yield* credentials.issueBotToken(id, ACTOR)).token)
      }))
    const adminKeys = yield* times(SIZE.callers, (index) =>
      Effect.map(
        credentials.issueAdminKey({ name: `key ${index}`, acls: ["*"] }, ACTOR),
        ({ token }) => Redacted.value(token)
      ))
    const webhooks = yield* times(SIZE.callers, (index) =>
      Effect.map(
        webhookService.create({ channelId, name: WebhookName.make(`Builds ${index}`) }, ACTOR),
        ({ token, webhook }) => ({ id: webhook.id, token: Redacted.value(token) })
      ))
    return Facts.make({
      guildId,
      roleIds: roles.filter((role) => role !== managers),
      application: { id: applicationId, redirectUri: REDIRECT_URI },
      botTokens,
      adminKeys,
      userIds: people.slice(1, 1 + SIZE.callers).map(({ id }) => id),
      webhooks
    })
  })

  return yield* atomically(community)
})
