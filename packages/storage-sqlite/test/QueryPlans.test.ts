import * as Samples from "@community-messaging/domain-contract/Samples"
import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { type Operation, OPERATIONS } from "./Operations.ts"
import { recordedStorage, Recording } from "./RecordedStorage.ts"

const user = Samples.user()

/** Operations on tables of few rows, and the search, whose plans are in `MemberIndexing.test.ts`. */
const READ_ALL = new Set([
  "read the epoch of ids",
  "read the version of the schema",
  "search members",
  "store the epoch of ids"
])

const claim = { now: Samples.NOON, leaseUntil: Samples.noonPlus(1000), limit: 10 }

/** Operations whose statements depend on what is due. */
const CLAIMS: Readonly<Record<string, Operation>> = {
  "claim a due deletion": Effect.flatMap(UserRepository, (users) =>
    Effect.zipRight(
      users.save(Samples.user({ pendingDeletionAt: Option.some(Samples.NOON) })),
      users.claimDueDeletions(claim)
    )),
  "claim a due message": Effect.gen(function*() {
    const { claimDue, insert } = yield* ScheduledMessageRepository
    yield* (yield* UserRepository).save(user)
    yield* insert(Samples.scheduledMessage({ authorId: user.id, scheduledAt: Samples.NOON, status: "scheduled" }))
    yield* claimDue(claim)
  })
}

/** Operations that have another statement with other parameters. */
const VARIANTS: Readonly<Record<string, Operation>> = {
  "list accounts that are scheduled for deletion": Effect.flatMap(
    UserRepository,
    (users) => users.list({ after: Option.none(), limit: 10, state: "scheduled for deletion" })
  ),
  "list consents after one": Effect.flatMap(
    ConsentRepository,
    (all) => all.list({ after: Option.some({ userId: user.id, applicationId: Samples.application().id }), limit: 10 })
  ),
  "list a channel's webhooks": Effect.flatMap(
    WebhookRepository,
    (webhooks) => webhooks.list({ within: { channelId: Samples.channel().id }, after: Option.none(), limit: 10 })
  ),
  "list a guild's webhooks": Effect.flatMap(
    WebhookRepository,
    (webhooks) => webhooks.list({ within: { guildId: Samples.guild().id }, after: Option.none(), limit: 10 })
  )
}

const Plan = Schema.Array(Schema.Struct({ detail: Schema.String }))

/** The steps of the plans of the operation's statements. Their rows may be missing, so the operation may fail. */
const stepsOf = (operation: Operation) =>
  Effect.gen(function*() {
    const { asked, client } = yield* Recording
    const before = asked.length
    yield* Effect.exit(operation)
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
  (step.startsWith("SCAN") && !/^SCAN (subquery|due|ended|expired|(\d+ )?CONSTANT ROWS?)$/.test(step)) ||
  (step.startsWith("SEARCH") && !step.includes(" USING "))

/** The use cases of due work, over the storage whose statements are recorded. */
const dueWork = Layer.merge(DueDeletions.layer, ScheduledMessages.layer).pipe(
  Layer.provide(SnowflakeGenerator.layer(0)),
  Layer.provideMerge(recordedStorage)
)

describe("query plans", () => {
  it.layer(recordedStorage)((it) => {
    it.effect.each(Object.entries({ ...OPERATIONS, ...CLAIMS, ...VARIANTS }).filter(([name]) => !READ_ALL.has(name)))(
      "no statement scans a whole table: %s",
      ([, operation]) =>
        Effect.gen(function*() {
          expect((yield* stepsOf(operation)).filter(isFullScan)).toEqual([])
        })
    )

    it.effect("memberships are found by the guild and the account, because an account may be in many guilds", () =>
      Effect.gen(function*() {
        const findAll = Effect.flatMap(MembershipRepository, (all) => all.findAll(Samples.guild().id, [user.id]))
        expect(yield* stepsOf(findAll)).toContainEqual(expect.stringContaining("(guild_id=? AND user_id=?)"))
      }))

    it.effect.each(Object.entries(CLAIMS))(
      "no statement sorts all due items for each claim: %s",
      ([, operation]) =>
        Effect.gen(function*() {
          expect((yield* stepsOf(operation)).filter((step) => step.includes("TEMP B-TREE"))).toEqual([])
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
