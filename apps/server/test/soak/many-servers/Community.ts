import { Credentials } from "@community-messaging/domain/access/Credentials"
import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Array as Arrays, type Duration, Effect } from "effect"
import { AUTHOR, GUILD, leavingAccount, seedDeletions, seedMessages } from "../DueWork.ts"

const OPERATOR = { _tag: "CommandLine" } as const

/** The channel that webhooks post to. */
export const NOTIFICATIONS = ChannelId.make("13")

/** The guilds with changing members: the one with the due messages and others, so that each server of a cluster has some. */
export const GUILDS = [GUILD, ...Arrays.makeBy(5, (index) => GuildId.make(String(20 + index)))]

/** The accounts that join, leave and get other names. */
export const ACCOUNTS = Arrays.makeBy(60, (index) => Users.UserId.make(String(200_000 + index)))

const join = (guildId: GuildId, userId: Users.UserId) => Membership.make({ guildId, userId, roleIds: [], joinedAt: 0 })

/** Writes the community of the servers, with that many messages and deletions, due within that time. */
export const seed = (messages: number, deletions: number, within: Duration.Duration) =>
  Effect.gen(function*() {
    const { save: saveUser } = yield* UserRepository
    const guilds = yield* GuildRepository
    const { save: saveMembership } = yield* MembershipRepository
    const { atomically } = yield* UnitOfWork
    const credentials = yield* Credentials
    const webhooks = yield* Webhooks
    yield* seedMessages(messages, within)
    yield* seedDeletions(deletions, within)
    yield* atomically(Effect.gen(function*() {
      yield* guilds.saveChannel({ id: NOTIFICATIONS, guildId: GUILD, name: "notifications" })
      for (const id of GUILDS.slice(1)) {
        yield* guilds.save({ id, name: `guild ${id}`, ownerId: AUTHOR })
        yield* saveMembership(join(id, AUTHOR))
      }
      yield* Effect.forEach(ACCOUNTS, (id) => saveUser(Users.create({ id, username: `user_${id}` })))
      // Each leaves its guild when it is deleted.
      yield* Effect.forEach(
        Arrays.range(1, deletions),
        (number) => saveMembership(join(GUILDS[number % GUILDS.length] ?? GUILD, leavingAccount(number)))
      )
    }))
    const { token: admin } = yield* credentials.issueAdminKey({ name: "operator", acls: ["*"] }, OPERATOR)
    const { token: bot } = yield* credentials.issueBotToken(AUTHOR, OPERATOR)
    const hook = { channelId: NOTIFICATIONS, name: WebhookName.make("Builds") }
    const { token, webhook } = yield* webhooks.create(hook, OPERATOR)
    return { admin, bot, webhook: { id: webhook.id, token } }
  })

export type Community = Effect.Effect.Success<ReturnType<typeof seed>>
