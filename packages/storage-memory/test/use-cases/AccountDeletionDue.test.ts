import { Authentication } from "@community-messaging/domain/access/Authentication"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import * as AccountDeletion from "@community-messaging/domain/account/AccountDeletion"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { DeletionReasonCode, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, TestClock } from "effect"
import { application, CLIENT, codeIn, digestOf, grant } from "./Consenting.ts"
import { failure } from "./Failure.ts"
import { ANN, CHANNEL, keep } from "./Scheduling.ts"
import { account, ACTOR, channel, events, everything, guild, member } from "./Stored.ts"
import { START, whileEventLogFails, world } from "./World.ts"

const OWNER = UserId.make("1")
const GUILD = GuildId.make("1000")
const OTHER_GUILD = GuildId.make("2000")

const deleteDue = (limit = 10) => Effect.flatMap(DueDeletions, (accounts) => accounts.deleteDue(limit))

const inADay = { pendingDeletionAt: Option.some(DateTime.add(START, { hours: 24 })) }

const stored = (id: UserId) => Effect.flatten(Effect.flatMap(UserRepository, (users) => users.find(id)))

const tags = Effect.map(events, (all) => all.map(({ _tag }) => _tag))

/** Ann, a bot in two guilds whose deletion is due in a day, and the owner of the guilds. */
const community = Effect.gen(function*() {
  yield* account(OWNER)
  const ann = yield* account(ANN, {
    bot: true,
    username: "ann",
    email: Option.some(EmailAddress.make("ann@mail.test")),
    deletionReasonCode: Option.some(DeletionReasonCode.make(4)),
    deletionPublicReason: Option.some("Spam"),
    ...inADay
  })
  yield* guild(GUILD, OWNER)
  yield* channel(CHANNEL, GUILD)
  yield* guild(OTHER_GUILD, OWNER)
  yield* member(GUILD, ANN)
  yield* member(OTHER_GUILD, ANN)
  return ann
})

describe("an account whose deletion is scheduled", () => {
  it.effect("is not deleted a millisecond before its time", () =>
    Effect.gen(function*() {
      const ann = yield* community
      yield* TestClock.adjust("86399999 millis")
      expect(yield* deleteDue()).toEqual({ claimed: 0, done: 0, failed: 0 })
      expect(yield* stored(ANN)).toEqual(ann)
    }).pipe(Effect.provide(world)))

  it.effect("is a tombstone from its time on", () =>
    Effect.gen(function*() {
      const ann = yield* community
      yield* TestClock.adjust("1 day")
      expect(yield* deleteDue()).toEqual({ claimed: 1, done: 1, failed: 0 })
      expect(yield* stored(ANN)).toEqual(AccountDeletion.tombstone(ann, DateTime.add(START, { hours: 24 })))
    }).pipe(Effect.provide(world)))

  it.effect("has left all guilds and is gone from search", () =>
    Effect.gen(function*() {
      yield* community
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      const search = yield* MemberSearch
      const found = yield* Effect.forEach([GUILD, OTHER_GUILD], (guildId) =>
        Effect.map(search.search(OWNER, guildId, MemberQuery.make({})), ({ members }) =>
          members.map(({ userId }) =>
            userId
          )))
      expect(found).toEqual([[OWNER], [OWNER]])
    }).pipe(Effect.provide(world)))

  it.effect("is told in events: what it left, then that it is deleted", () =>
    Effect.gen(function*() {
      yield* community
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      expect(yield* events).toEqual([
        { _tag: "member.left", version: 1, guildId: GUILD, userId: ANN },
        { _tag: "member.left", version: 1, guildId: OTHER_GUILD, userId: ANN },
        { _tag: "user.deleted", version: 1, userId: ANN }
      ])
    }).pipe(Effect.provide(world)))

  it.effect("has no token left that works", () =>
    Effect.gen(function*() {
      const ann = yield* community
      const { credential, token } = yield* Effect.flatMap(Credentials, (credentials) =>
        credentials.issueBotToken(ann.id, ACTOR))
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      const refused = Effect.flatMap(Authentication, (authentication) =>
        authentication.bot(token))
      expect(yield* failure(refused)).toMatchObject({ _tag: "InvalidCredentials" })
      const kept = yield* Effect.flatten(Effect.flatMap(CredentialRepository, ({ find }) => find(credential.id)))
      expect(kept.revokedAt).toEqual(Option.some(DateTime.add(START, { hours: 24 })))
    }).pipe(Effect.provide(world)))

  it.effect("has no consents left, and what they gave is revoked", () =>
    Effect.gen(function*() {
      const ann = yield* account(ANN)
      yield* application()
      const consents = yield* Consents
      const repository = yield* ConsentRepository
      const code = Redacted.make(codeIn((yield* grant(ANN)).redirectTo))
      const redeemed = yield* consents.redeem({ clientId: CLIENT, code, redirectUri: Option.none() })
      const unused = codeIn((yield* grant(ANN)).redirectTo)
      yield* Effect.flatMap(UserRepository, (users) => users.save({ ...ann, ...inADay }))
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      expect(yield* repository.find(ANN, CLIENT)).toEqual(Option.none())
      expect(yield* repository.findCode(yield* digestOf(unused))).toEqual(Option.none())
      const given = yield* Effect.flatten(repository.findGrant(redeemed.grant.tokenDigest))
      expect(Option.isSome(given.revokedAt)).toBe(true)
    }).pipe(Effect.provide(world)))

  it.effect("has its undelivered messages cancelled, the others left as they are", () =>
    Effect.gen(function*() {
      yield* community
      const later = DateTime.add(START, { days: 5 })
      yield* Effect.forEach(ScheduledMessageStatus.literals, (status, index) =>
        keep(String(index + 1), { status, scheduledAt: later }))
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      const { scheduledMessages } = yield* everything
      expect(scheduledMessages.map(({ status }) =>
        status
      )).toEqual([
        "cancelled",
        "cancelled",
        "cancelled",
        "sent",
        "cancelled",
        "cancelled"
      ])
      expect(scheduledMessages[0]?.statusReason).toEqual(Option.some("The author's account was deleted."))
      expect((yield* tags).filter((tag) => tag === "scheduled_message.updated")).toHaveLength(4)
    }).pipe(Effect.provide(world)))

  it.effect("gives its e-mail address up to others", () =>
    Effect.gen(function*() {
      yield* community
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      const email = EmailAddress.make("ann@mail.test")
      const changed = yield* Effect.flatMap(Accounts, (accounts) =>
        accounts.changeEmail({ userId: OWNER, email, actor: ACTOR }))
      expect(changed.email).toEqual(Option.some(email))
    }).pipe(Effect.provide(world)))

  it.effect("is deleted once, however many look for due deletions", () =>
    Effect.gen(function*() {
      yield* community
      yield* TestClock.adjust("1 day")
      yield* Effect.all(Array.from({ length: 10 }, () => deleteDue()), { concurrency: "unbounded" })
      yield* TestClock.adjust("1 day")
      yield* deleteDue()
      expect((yield* tags).filter((tag) => tag === "user.deleted")).toHaveLength(1)
    }).pipe(Effect.provide(world)))

  it.effect("is not deleted when that was cancelled in time", () =>
    Effect.gen(function*() {
      const ann = yield* community
      yield* Effect.flatMap(Accounts, (accounts) => accounts.cancelDeletion({ userId: ANN, actor: ACTOR }))
      yield* TestClock.adjust("1 day")
      expect(yield* deleteDue()).toEqual({ claimed: 0, done: 0, failed: 0 })
      expect((yield* stored(ANN)).email).toEqual(ann.email)
    }).pipe(Effect.provide(world)))

  it.effect("is deleted with at most as many others as asked for, the soonest first", () =>
    Effect.gen(function*() {
      yield* account("10", { pendingDeletionAt: Option.some(DateTime.add(START, { hours: 3 })) })
      yield* account("11", { pendingDeletionAt: Option.some(DateTime.add(START, { hours: 1 })) })
      yield* account("12", { pendingDeletionAt: Option.some(DateTime.add(START, { hours: 2 })) })
      yield* TestClock.adjust("1 day")
      expect(yield* deleteDue(2)).toEqual({ claimed: 2, done: 2, failed: 0 })
      expect((yield* events).map((event) => event._tag === "user.deleted" ? event.userId : event._tag)).toEqual([
        "11",
        "12"
      ])
    }).pipe(Effect.provide(world)))

  it.effect("is whole again after a deletion that failed half-way, and deleted when its lease has ended", () =>
    Effect.gen(function*() {
      yield* community
      yield* TestClock.adjust("1 day")
      const before = yield* everything
      expect(yield* whileEventLogFails(deleteDue())).toEqual({ claimed: 1, done: 0, failed: 1 })
      expect(yield* everything).toEqual(before)
      expect((yield* deleteDue()).claimed).toBe(0)
      yield* TestClock.adjust("30 seconds")
      expect(yield* deleteDue()).toEqual({ claimed: 1, done: 1, failed: 0 })
    }).pipe(Effect.provide(world)))
})
