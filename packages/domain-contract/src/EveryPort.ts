import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Effect, Option } from "effect"
import type { Has } from "./OwnPorts.ts"
import * as Samples from "./Samples.ts"
import { NOON, noonPlus } from "./Samples.ts"
import { state } from "./world/WholeState.ts"

/** One entity of every kind, each referring to the others. */
export const related = () => {
  const user = Samples.user()
  const guild = Samples.guild({ ownerId: user.id })
  const channel = Samples.channel({ guildId: guild.id })
  const avatar = Samples.avatar()
  const webhook = Samples.webhook({ channelId: channel.id, guildId: guild.id, avatar: Option.some(avatar.hash) })
  const application = Samples.application()
  return {
    user,
    /** An account that is in no guild. */
    stranger: Samples.user(),
    guild,
    channel,
    avatar,
    webhook,
    application,
    credential: Samples.botToken({ userId: user.id }),
    role: Samples.role({ guildId: guild.id }),
    membership: Samples.membership({ guildId: guild.id, userId: user.id }),
    message: Samples.message({ channelId: channel.id, guildId: guild.id }),
    scheduledMessage: Samples.scheduledMessage({ authorId: user.id, channelId: channel.id }),
    consent: Samples.consent({ userId: user.id, applicationId: application.id }),
    code: Samples.code({ userId: user.id, applicationId: application.id }),
    grant: Samples.grant({ userId: user.id, applicationId: application.id })
  }
}

/** The result of `related`. */
export type Related = ReturnType<typeof related>

/** Writes all of the entities, each through its port. */
export const writeAll = (all: Related) =>
  Effect.gen(function*() {
    yield* (yield* UserRepository).save(all.user)
    yield* (yield* UserRepository).save(all.stranger)
    yield* (yield* CredentialRepository).insert(all.credential)
    const guilds = yield* GuildRepository
    yield* guilds.save(all.guild)
    yield* guilds.saveRole(all.role)
    yield* guilds.saveChannel(all.channel)
    yield* (yield* MembershipRepository).save(all.membership)
    yield* (yield* MessageRepository).insert(all.message)
    yield* (yield* ScheduledMessageRepository).insert(all.scheduledMessage)
    yield* (yield* AvatarStore).put(all.avatar)
    yield* (yield* WebhookRepository).save(all.webhook)
    yield* (yield* ApplicationRepository).save(all.application)
    const consents = yield* ConsentRepository
    yield* consents.save(all.consent)
    yield* consents.insertCode(all.code)
    yield* consents.insertGrant(all.grant)
    yield* (yield* EventLog).append(Samples.event(all.user.id))
    yield* (yield* AuditLog).append(Samples.auditRecord({ targetId: all.user.id }))
  })

/** Returns which of the entities exist, by the names of the kinds. */
export const foundOf = (all: Related) =>
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const consents = yield* ConsentRepository
    const found = {
      user: Option.isSome(yield* (yield* UserRepository).find(all.user.id)),
      credential: Option.isSome(yield* (yield* CredentialRepository).find(all.credential.id)),
      guild: Option.isSome(yield* guilds.find(all.guild.id)),
      role: (yield* guilds.roles(all.guild.id)).length > 0,
      channel: Option.isSome(yield* guilds.findChannel(all.channel.id)),
      membership: Option.isSome(yield* (yield* MembershipRepository).find(all.guild.id, all.user.id)),
      message: (yield* (yield* MessageRepository).findAll([all.message.id])).length === 1,
      scheduledMessage: Option.isSome(yield* (yield* ScheduledMessageRepository).find(all.scheduledMessage.id)),
      avatar: Option.isSome(yield* (yield* AvatarStore).find(all.avatar.hash)),
      webhook: Option.isSome(yield* (yield* WebhookRepository).find(all.webhook.id)),
      application: Option.isSome(yield* (yield* ApplicationRepository).find(all.application.id)),
      consent: Option.isSome(yield* consents.find(all.user.id, all.application.id)),
      code: Option.isSome(yield* consents.findCode(all.code.digest)),
      grant: Option.isSome(yield* consents.findGrant(all.grant.tokenDigest)),
      event: (yield* EventStream.read(0, 100)).length > 0,
      auditRecord: (yield* (yield* AuditLog).read(0, 100)).length > 0
    }
    return Object.entries(found).flatMap(([kind, isFound]) => isFound ? [kind] : [])
  })

/**
 * Changes entities that `writeAll` has written, and an account that is due, through every port with changes of its own.
 * Returns what was there before, and the results of the changes: if it runs again, they are the same only after a rollback.
 */
export const changeAll = (all: Related) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const credentials = yield* CredentialRepository
    const audit = yield* AuditLog
    const consents = yield* ConsentRepository
    const webhooks = yield* WebhookRepository
    const claim = { now: NOON, leaseUntil: noonPlus(30_000), limit: 10 }
    const email = Option.some(EmailAddress.make("ada@example.org"))
    const { webhook } = all
    const before = yield* state
    // Another account each time: it gets the address only if no other one has it.
    yield* users.save(Samples.user({ email }))
    yield* credentials.revoke(all.credential.id, NOON)
    yield* audit.append(Samples.auditRecord())
    const results = {
      forgotten: yield* webhooks.forgetDeliveries(NOON, 10),
      isNew: yield* webhooks.recordDelivery({ webhook, deliveryId: "1", receivedAt: NOON, seenSince: noonPlus(-1) }),
      isFirst: yield* webhooks.recordAnnouncement({
        webhookId: webhook.id,
        announcement: { id: "2", counterpart: "3" },
        announcedAt: NOON,
        announcedSince: noonPlus(-1)
      }),
      redeemed: yield* consents.redeemCode(all.code.digest, NOON),
      deletions: yield* users.claimDueDeletions(claim),
      messages: yield* (yield* ScheduledMessageRepository).claimDue(claim),
      records: (yield* audit.read(0, 10)).map(({ sequence }) => sequence)
    }
    yield* consents.removeAllOfUser(all.user.id, NOON)
    yield* webhooks.remove(webhook.id)
    yield* (yield* MembershipRepository).remove(all.guild.id, all.user.id)
    return { before, ...results }
  })

/** The port of each kind. */
const PORT_OF = {
  user: UserRepository,
  credential: CredentialRepository,
  guild: GuildRepository,
  role: GuildRepository,
  channel: GuildRepository,
  membership: MembershipRepository,
  message: MessageRepository,
  scheduledMessage: ScheduledMessageRepository,
  avatar: AvatarStore,
  webhook: WebhookRepository,
  application: ApplicationRepository,
  consent: ConsentRepository,
  code: ConsentRepository,
  grant: ConsentRepository,
  event: EventLog,
  auditRecord: AuditLog
} as const

/** The names of all kinds, as `foundOf` returns them when all of them exist. */
export const ALL_KINDS = Object.keys(PORT_OF)

/** The names of the kinds that the tested layer stores itself. */
export const kindsOf = (has: Has): ReadonlyArray<string> =>
  Object.entries(PORT_OF).flatMap(([kind, port]) => has(port) ? [kind] : [])
