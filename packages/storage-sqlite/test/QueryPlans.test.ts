import * as Samples from "@community-messaging/domain-contract/Samples"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MessageId } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { recordedStorage, Recording } from "./RecordedStorage.ts"

const user = Samples.user()
const message = Samples.scheduledMessage({ authorId: user.id })
const code = Samples.code()
const none = Option.none()
const page = { after: none, limit: 10 }
const claim = { now: Samples.NOON, leaseUntil: Samples.noonPlus(1000), limit: 10 }
/** Frequent requests, and requests whose time could grow with the storage. */
const requests: ReadonlyArray<readonly [name: string, request: Effect.Effect<unknown, unknown, StoragePorts>]> = [
  ["find an account", Effect.flatMap(UserRepository, (users) => users.find(user.id))],
  ["find accounts", Effect.flatMap(UserRepository, (users) => users.findAll([user.id]))],
  ["find the status of accounts", Effect.flatMap(UserRepository, (users) => users.findStatuses([user.id]))],
  ["find memberships", Effect.flatMap(MembershipRepository, (all) => all.findAll(GuildId.make("1"), [user.id]))],
  ["find messages", Effect.flatMap(MessageRepository, (all) => all.findAll([MessageId.make("1")]))],
  ["save an account", Effect.flatMap(UserRepository, (users) => users.save(user))],
  [
    "list accounts to be deleted",
    Effect.flatMap(UserRepository, (users) => users.list({ ...page, state: "scheduled for deletion" }))
  ],
  ["list accounts", Effect.flatMap(UserRepository, (users) => users.list(page))],
  [
    "claim due deletions",
    Effect.flatMap(
      UserRepository,
      (users) =>
        Effect.zipRight(
          users.save(Samples.user({ pendingDeletionAt: Option.some(Samples.NOON) })),
          users.claimDueDeletions(claim)
        )
    )
  ],
  ["count due deletions", Effect.flatMap(UserRepository, (users) => users.countDueDeletions(Samples.NOON, 10))],
  [
    "count due messages",
    Effect.flatMap(ScheduledMessageRepository, (messages) => messages.countDue(Samples.NOON, 10))
  ],
  ["next deletion", Effect.flatMap(UserRepository, (users) => users.nextDeletionAt)],
  ["bot token by digest", Effect.flatMap(CredentialRepository, (all) => all.findBotToken(code.digest))],
  ["credential by digest", Effect.flatMap(CredentialRepository, (all) => all.findByDigest(code.digest))],
  [
    "revoke all of an account",
    Effect.flatMap(CredentialRepository, (all) => all.revokeAllOfUser(user.id, Samples.NOON))
  ],
  ["find a guild", Effect.flatMap(GuildRepository, (guilds) => guilds.find(GuildId.make("1")))],
  [
    "a member's roles",
    Effect.flatMap(MembershipRepository, (memberships) => memberships.findWithRoles(GuildId.make("1"), user.id))
  ],
  ["roles of a guild", Effect.flatMap(GuildRepository, (guilds) => guilds.roles(GuildId.make("1")))],
  ["managed role", Effect.flatMap(GuildRepository, (guilds) => guilds.findManagedRole(GuildId.make("1"), user.id))],
  ["channels of a guild", Effect.flatMap(GuildRepository, (guilds) => guilds.channels(GuildId.make("1")))],
  ["remove a channel", Effect.flatMap(GuildRepository, (guilds) => guilds.removeChannel(ChannelId.make("1")))],
  ["find a membership", Effect.flatMap(MembershipRepository, (all) => all.find(GuildId.make("1"), user.id))],
  ["remove a membership", Effect.flatMap(MembershipRepository, (all) => all.remove(GuildId.make("1"), user.id))],
  [
    "memberships of a guild",
    Effect.flatMap(MembershipRepository, (all) => all.list({ guildId: GuildId.make("1"), ...page }))
  ],
  ["memberships of an account", Effect.flatMap(MembershipRepository, (all) => all.ofUser(user.id))],
  [
    "messages of a channel",
    Effect.flatMap(
      MessageRepository,
      (messages) => messages.inChannel({ channelId: ChannelId.make("1"), before: none, limit: 10 })
    )
  ],
  ["undelivered messages", Effect.flatMap(ScheduledMessageRepository, (all) => all.undelivered(user.id))],
  [
    "messages by status",
    Effect.flatMap(
      ScheduledMessageRepository,
      (all) => all.inStatus({ authorId: user.id, statuses: ["sent", "failed"], limit: 10 })
    )
  ],
  [
    "update a scheduled message",
    Effect.flatMap(ScheduledMessageRepository, (all) => Effect.flip(all.update(message, "scheduled")))
  ],
  [
    "pending messages",
    Effect.flatMap(ScheduledMessageRepository, (all) => all.pending({ after: Option.none(), limit: 10 }))
  ],
  [
    "claim due messages",
    Effect.gen(function*() {
      const due = Samples.scheduledMessage({ authorId: user.id, scheduledAt: Samples.NOON, status: "scheduled" })
      const { claimDue, insert } = yield* ScheduledMessageRepository
      yield* (yield* UserRepository).save(user)
      yield* insert(due)
      yield* claimDue(claim)
    })
  ],
  ["next due message", Effect.flatMap(ScheduledMessageRepository, (all) => all.nextDueAt)],
  [
    "remove ended messages",
    Effect.flatMap(ScheduledMessageRepository, (all) => all.removeEndedBefore(Samples.NOON, 10))
  ],
  ["list scheduled messages", Effect.flatMap(ScheduledMessageRepository, (all) => all.list(page))],
  [
    "webhooks of a channel",
    Effect.flatMap(WebhookRepository, (all) => all.inChannel({ channelId: ChannelId.make("1"), ...page }))
  ],
  [
    "webhooks of a guild",
    Effect.flatMap(WebhookRepository, (all) => all.inGuild({ guildId: GuildId.make("1"), ...page }))
  ],
  ["remove a webhook", Effect.flatMap(WebhookRepository, (all) => all.remove(Samples.webhook().id))],
  ["find a webhook", Effect.flatMap(WebhookRepository, (all) => all.find(Samples.webhook().id))],
  [
    "record a delivery",
    Effect.flatMap(WebhookRepository, (all) =>
      all.recordDelivery({
        webhook: Samples.webhook(),
        deliveryId: "a",
        receivedAt: Samples.NOON,
        seenSince: Samples.NOON
      }))
  ],
  ["forget deliveries", Effect.flatMap(WebhookRepository, (all) => all.forgetDeliveries(Samples.NOON, 10))],
  ["list avatars", Effect.flatMap(AvatarStore, (all) => all.list(page))],
  ["find an application", Effect.flatMap(ApplicationRepository, (all) => all.find(Samples.application().id))],
  [
    "list consents",
    Effect.flatMap(
      ConsentRepository,
      (all) => all.list({ after: Option.some({ userId: user.id, applicationId: code.applicationId }), limit: 10 })
    )
  ],
  ["redeem a code", Effect.flatMap(ConsentRepository, (all) => all.redeemCode(code.digest, Samples.NOON))],
  ["remove expired codes", Effect.flatMap(ConsentRepository, (all) => all.removeCodesExpiredBefore(Samples.NOON, 10))],
  [
    "revoke grants of a code",
    Effect.flatMap(
      ConsentRepository,
      (all) => all.revokeGrantsOfCode({ ...code, codeDigest: code.digest, at: Samples.NOON })
    )
  ],
  [
    "remove all of an account",
    Effect.flatMap(ConsentRepository, (all) => all.removeAllOfUser(UserId.make("1"), Samples.NOON))
  ],
  ["read events", EventStream.read(0, 10)],
  ["end of the events", EventStream.end],
  ["remove old events", Effect.flatMap(EventLog, (events) => events.removeBefore(Samples.NOON, 10))],
  ["largest id", Effect.flatMap(SnowflakeHistory, (history) => history.largestUpTo(user.id))],
  ["newest ids", Effect.flatMap(SnowflakeHistory, (history) => history.newest(10))],
  ["read audit records", Effect.flatMap(AuditLog, (records) => records.read(0, 10))]
]

const Plan = Schema.Array(Schema.Struct({ detail: Schema.String }))

/** The steps of the plans of the request's statements. */
const stepsOf = (request: Effect.Effect<unknown, unknown, StoragePorts>) =>
  Effect.gen(function*() {
    const { asked, client } = yield* Recording
    const before = asked.length
    yield* request
    const statements = asked.slice(before).filter(({ text }) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text))
    const plans = yield* Effect.forEach(
      statements,
      ({ parameters, text }) =>
        Effect.flatMap(client.unsafe(`EXPLAIN QUERY PLAN ${text}`, parameters), Schema.decodeUnknown(Plan))
    )
    expect(statements.length).toBeGreaterThan(0)
    return plans.flat().map(({ detail }) => detail)
  })

/** Whether a step scans a whole table. The result of a subquery is limited, so a scan of it is allowed. */
const isFullScan = (step: string): boolean =>
  (step.startsWith("SCAN") && !/^SCAN (subquery|due|ended|expired)$/.test(step)) ||
  (step.startsWith("SEARCH") && !step.includes(" USING "))

/** The use cases of due work, over the storage whose statements are recorded. */
const dueWork = Layer.merge(DueDeletions.layer, ScheduledMessages.layer).pipe(
  Layer.provide(SnowflakeGenerator.layer(0)),
  Layer.provideMerge(recordedStorage)
)

describe("query plans", () => {
  it.layer(recordedStorage)((it) => {
    it.effect.each(requests)("no statement scans a whole table: %s", ([, request]) =>
      Effect.gen(function*() {
        expect((yield* stepsOf(request)).filter(isFullScan)).toEqual([])
      }))

    it.effect.each(requests.filter(([name]) => name.startsWith("claim due")))(
      "no statement sorts all due items for each claim: %s",
      ([, request]) =>
        Effect.gen(function*() {
          expect((yield* stepsOf(request)).filter((step) => step.includes("TEMP B-TREE"))).toEqual([])
        })
    )
  })

  it.effect("a list of scheduled messages has one text, which is prepared once, for any statuses", () =>
    Effect.gen(function*() {
      const { asked } = yield* Recording
      const { inStatus } = yield* ScheduledMessageRepository
      const before = asked.length
      yield* Effect.forEach(
        [["sent"], ["sent", "failed"], ["sent", "sent", "sent"]] as const,
        (statuses) => inStatus({ authorId: user.id, statuses, limit: 10 })
      )
      expect(new Set(asked.slice(before).map(({ text }) => text)).size).toBe(1)
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped.each(
    [
      ["deletion", Effect.flatMap(DueDeletions, (deletions) => deletions.deleteDue(10))],
      ["scheduled message", Effect.flatMap(ScheduledMessages, (messages) => messages.dispatchDue(10))]
    ] as const
  )("nothing is written if no %s is due", ([, working]) =>
    Effect.gen(function*() {
      const { asked } = yield* Recording
      const before = asked.length
      yield* working
      expect(asked.slice(before).map(({ text }) => text.trim().split(" ")[0])).toEqual(["SELECT"])
    }).pipe(Effect.provide(dueWork)))
})
