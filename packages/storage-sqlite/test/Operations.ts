import * as Samples from "@community-messaging/domain-contract/Samples"
import { searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Effect, Option } from "effect"

/** An operation of a port of the storage. */
export type Operation = Effect.Effect<unknown, { readonly message: string }, StoragePorts>

const at = Samples.NOON
const page = { after: Option.none(), limit: 10 }
const claim = { now: at, leaseUntil: Samples.noonPlus(1000), limit: 10 }
const user = Samples.user({ email: Option.some(EmailAddress.make("ada@example.org")) })
const guild = Samples.guild()
const channel = Samples.channel()
const role = Samples.role()
const membership = Samples.membership()
const message = Samples.message()
const scheduled = Samples.scheduledMessage()
const webhook = Samples.webhook()
const avatar = Samples.avatar()
const application = Samples.application()
const consent = Samples.consent()
const code = Samples.code()
const grant = Samples.grant()
const key = Samples.adminKey()

/** All operations of the storage that send statements, by their names in a log. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "find an account": Effect.flatMap(UserRepository, (users) => users.find(user.id)),
  "find the status of an account": Effect.flatMap(UserRepository, (users) => users.findStatus(user.id)),
  "find accounts": Effect.flatMap(UserRepository, (users) => users.findAll([user.id])),
  "find the status of accounts": Effect.flatMap(UserRepository, (users) => users.findStatuses([user.id])),
  "save an account": Effect.flatMap(UserRepository, (users) => users.save(user)),
  "save accounts": Effect.flatMap(UserRepository, (users) => users.saveAll([user])),
  "list accounts": Effect.flatMap(UserRepository, (users) => users.list(page)),
  "claim due deletions": Effect.flatMap(UserRepository, (users) => users.claimDueDeletions(claim)),
  "find the next deletion": Effect.flatMap(UserRepository, (users) => users.nextDeletionAt),
  "count due deletions": Effect.flatMap(UserRepository, (users) => users.countDueDeletions(at, 10)),
  "insert a credential": Effect.flatMap(CredentialRepository, (all) => all.insert(key)),
  "find a credential": Effect.flatMap(CredentialRepository, (all) => all.find(key.id)),
  "find a credential by its digest": Effect.flatMap(CredentialRepository, (all) => all.findByDigest(key.digest)),
  "find a bot token by its digest": Effect.flatMap(CredentialRepository, (all) => all.findBotToken(key.digest)),
  "list credentials": Effect.flatMap(CredentialRepository, (all) => all.list(page)),
  "revoke a credential": Effect.flatMap(CredentialRepository, (all) => all.revoke(key.id, at)),
  "revoke an account's credentials": Effect.flatMap(CredentialRepository, (all) => all.revokeAllOfUser(user.id, at)),
  "find a guild": Effect.flatMap(GuildRepository, (guilds) => guilds.find(guild.id)),
  "save a guild": Effect.flatMap(GuildRepository, (guilds) => guilds.save(guild)),
  "list guilds": Effect.flatMap(GuildRepository, (guilds) => guilds.list(page)),
  "list a guild's roles": Effect.flatMap(GuildRepository, (guilds) => guilds.roles(guild.id)),
  "find a role": Effect.flatMap(GuildRepository, (guilds) => guilds.findRole(role.id)),
  "save a role": Effect.flatMap(GuildRepository, (guilds) => guilds.saveRole(role)),
  "find a managed role": Effect.flatMap(GuildRepository, (guilds) => guilds.findManagedRole(guild.id, user.id)),
  "find a channel": Effect.flatMap(GuildRepository, (guilds) => guilds.findChannel(channel.id)),
  "list a guild's channels": Effect.flatMap(GuildRepository, (guilds) => guilds.channels(guild.id)),
  "save a channel": Effect.flatMap(GuildRepository, (guilds) => guilds.saveChannel(channel)),
  "find a member's roles": Effect.flatMap(MembershipRepository, (all) => all.findWithRoles(guild.id, user.id)),
  "find a membership": Effect.flatMap(MembershipRepository, (all) => all.find(guild.id, user.id)),
  "find memberships": Effect.flatMap(MembershipRepository, (all) => all.findAll(guild.id, [user.id])),
  "save a membership": Effect.flatMap(MembershipRepository, (all) => all.save(membership)),
  "remove a membership": Effect.flatMap(MembershipRepository, (all) => all.remove(guild.id, user.id)),
  "remove an account's memberships": Effect.flatMap(MembershipRepository, (all) => all.removeAllOfUser(user.id)),
  "list a guild's memberships": Effect.flatMap(
    MembershipRepository,
    (all) => all.list({ guildId: guild.id, ...page })
  ),
  "list an account's memberships": Effect.flatMap(MembershipRepository, (all) => all.ofUser(user.id)),
  "search members": searchMembers(guild.id, MemberQuery.make({})),
  "insert a message": Effect.flatMap(MessageRepository, (messages) => messages.insert(message)),
  "find messages": Effect.flatMap(MessageRepository, (messages) => messages.findAll([message.id])),
  "list a channel's messages": Effect.flatMap(
    MessageRepository,
    (messages) => messages.inChannel({ channelId: channel.id, before: Option.none(), limit: 10 })
  ),
  "find a scheduled message": Effect.flatMap(ScheduledMessageRepository, (all) => all.find(scheduled.id)),
  "insert a scheduled message": Effect.flatMap(ScheduledMessageRepository, (all) => all.insert(scheduled)),
  "update a scheduled message": Effect.flatMap(
    ScheduledMessageRepository,
    (all) => all.update(scheduled, "scheduled")
  ),
  "list undelivered scheduled messages": Effect.flatMap(
    ScheduledMessageRepository,
    (all) => all.undelivered(user.id)
  ),
  "list scheduled messages by status": Effect.flatMap(
    ScheduledMessageRepository,
    (all) => all.inStatus({ authorId: user.id, statuses: ["sent"], limit: 10 })
  ),
  "list scheduled messages": Effect.flatMap(ScheduledMessageRepository, (all) => all.list(page)),
  "list pending scheduled messages": Effect.flatMap(
    ScheduledMessageRepository,
    (all) => all.pending({ after: Option.none(), limit: 10 })
  ),
  "claim due scheduled messages": Effect.flatMap(ScheduledMessageRepository, (all) => all.claimDue(claim)),
  "find the next due scheduled message": Effect.flatMap(ScheduledMessageRepository, (all) => all.nextDueAt),
  "count due scheduled messages": Effect.flatMap(ScheduledMessageRepository, (all) => all.countDue(at, 10)),
  "remove ended scheduled messages": Effect.flatMap(
    ScheduledMessageRepository,
    (all) => all.removeEndedBefore(at, 10)
  ),
  "find a webhook": Effect.flatMap(WebhookRepository, (webhooks) => webhooks.find(webhook.id)),
  "save a webhook": Effect.flatMap(WebhookRepository, (webhooks) => webhooks.save(webhook)),
  "remove a webhook": Effect.flatMap(WebhookRepository, (webhooks) => webhooks.remove(webhook.id)),
  "list webhooks": Effect.flatMap(WebhookRepository, (webhooks) => webhooks.list(page)),
  "record a delivery": Effect.flatMap(
    WebhookRepository,
    (webhooks) => webhooks.recordDelivery({ webhook, deliveryId: "1", receivedAt: at, seenSince: at })
  ),
  "record an announcement": Effect.flatMap(WebhookRepository, (webhooks) =>
    webhooks.recordAnnouncement({
      webhookId: webhook.id,
      announcement: { id: "1", counterpart: "2" },
      announcedAt: at,
      announcedSince: at
    })),
  "forget deliveries": Effect.flatMap(WebhookRepository, (webhooks) => webhooks.forgetDeliveries(at, 10)),
  "put an avatar": Effect.flatMap(AvatarStore, (avatars) => avatars.put(avatar)),
  "find an avatar": Effect.flatMap(AvatarStore, (avatars) => avatars.find(avatar.hash)),
  "list avatars": Effect.flatMap(AvatarStore, (avatars) => avatars.list(page)),
  "find an application": Effect.flatMap(ApplicationRepository, (all) => all.find(application.id)),
  "save an application": Effect.flatMap(ApplicationRepository, (all) => all.save(application)),
  "list applications": Effect.flatMap(ApplicationRepository, (all) => all.list(page)),
  "find a consent": Effect.flatMap(ConsentRepository, (all) => all.find(user.id, application.id)),
  "save a consent": Effect.flatMap(ConsentRepository, (all) => all.save(consent)),
  "list consents": Effect.flatMap(ConsentRepository, (all) => all.list(page)),
  "insert an authorization code": Effect.flatMap(ConsentRepository, (all) => all.insertCode(code)),
  "find an authorization code": Effect.flatMap(ConsentRepository, (all) => all.findCode(code.digest)),
  "redeem an authorization code": Effect.flatMap(ConsentRepository, (all) => all.redeemCode(code.digest, at)),
  "remove expired authorization codes": Effect.flatMap(
    ConsentRepository,
    (all) => all.removeCodesExpiredBefore(at, 10)
  ),
  "insert a grant": Effect.flatMap(ConsentRepository, (all) => all.insertGrant(grant)),
  "find a grant": Effect.flatMap(ConsentRepository, (all) => all.findGrant(grant.tokenDigest)),
  "revoke a code's grants": Effect.flatMap(
    ConsentRepository,
    (all) => all.revokeGrantsOfCode({ applicationId: application.id, codeDigest: code.digest, at })
  ),
  "remove an account's consents": Effect.flatMap(ConsentRepository, (all) => all.removeAllOfUser(user.id, at)),
  "append an event": Effect.flatMap(EventLog, (events) => events.append(Samples.event())),
  "read events": Effect.flatMap(EventLog, (events) => events.read(0, 10)),
  "find the end of the events": Effect.flatMap(EventLog, (events) => events.end),
  "remove events": Effect.flatMap(EventLog, (events) => events.removeBefore(at, 10)),
  "append an audit record": Effect.flatMap(AuditLog, (records) => records.append(Samples.auditRecord())),
  "read audit records": Effect.flatMap(AuditLog, (records) => records.read(0, 10)),
  "find the largest id": Effect.flatMap(SnowflakeHistory, (history) => history.largestUpTo(user.id)),
  "read the epoch of ids": Effect.flatMap(SnowflakeHistory, (history) => history.epoch),
  "store the epoch of ids": Effect.flatMap(SnowflakeHistory, (history) => history.storeEpoch(0)),
  "read the version of the schema": Effect.flatMap(StorageHealth, (health) => health.isMigrated),
  "write to the database": Effect.flatMap(StorageHealth, (health) => health.write)
}
