import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { DeletionReasonCode, isDeleted, isPendingDeletion, type UserId } from "@community-messaging/domain/account/User"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { Guilds } from "@community-messaging/domain/guild/Guilds"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Memberships } from "@community-messaging/domain/guild/Memberships"
import type { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, DateTime, Effect, Either, Option, type Scope } from "effect"
import * as Saved from "../Saved.ts"
import { testsOnTwoServers } from "../TestsOver.ts"
import { allEvents, cancelDeletion, deleteDue, scheduleDeletion, storedUser } from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import type { TwoConnections } from "../world/World.ts"
import { allSideBySide, failures, rounds, sideBySide, times } from "./SideBySide.ts"

/** A page with all credentials of a test. */
const ALL = { after: Option.none(), limit: 10_000 }

const actor = { _tag: "CommandLine" } as const

const changeEmail = (userId: UserId, email: string) =>
  Effect.flatMap(Accounts, (accounts) => accounts.changeEmail({ userId, email: EmailAddress.make(email), actor }))

/** Changes the address again and again until the account is deleted. */
const changeEmailUntilDeleted = (userId: UserId) =>
  Effect.forEach(Arrays.range(1, 10), (number) => changeEmail(userId, `a${userId}.${number}@example.org`))

const auditRecords = Effect.map(
  Effect.flatMap(AuditLog, (log) => log.read(0, 10_000)),
  (found) => found.map(({ record }) => record)
)

/** An account whose deletion is due a day later. */
const leaving = (bot = false) => Effect.tap(Saved.user({ bot }), ({ id }) => scheduleDeletion(id, 1))

const schedule = (userId: UserId, reasonCode: number) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.scheduleDeletion({
      userId,
      reasonCode: DeletionReasonCode.make(reasonCode),
      publicReason: Option.none(),
      daysUntilDeletion: Option.none(),
      actor
    }))

const revoke = (id: CredentialId) => Effect.flatMap(Credentials, (credentials) => credentials.revoke(id, actor))

/** Revokes all tokens of the account like its deletion, as of an hour later. */
const revokeLater = (userId: UserId) =>
  Effect.gen(function*() {
    const { atomically, lock } = yield* UnitOfWork
    const { revokeAllOfUser } = yield* CredentialRepository
    const later = DateTime.add(yield* DateTime.now, { hours: 1 })
    yield* atomically(Effect.zipRight(lock({ kind: "account", id: userId }), revokeAllOfUser(userId, later)))
  })

/** The guarantees for accounts and credentials while other units run concurrently. */
export const accountRaces = <E>(connections: TwoConnections<E, Scope.Scope>) =>
  describe("accounts", () => {
    const it = testsOnTwoServers(connections)

    it("if eight accounts take the same e-mail address, one of them gets it", function*(servers) {
      const accounts = yield* Effect.provide(Effect.replicateEffect(Saved.user(), 8), servers.first)
      const outcomes = yield* sideBySide(servers, accounts.map(({ id }) => changeEmail(id, "ada@example.org")))
      expect(failures(outcomes)).toEqual(Arrays.replicate("EmailAlreadyInUse", 7))
      const users = yield* Effect.provide(Effect.forEach(accounts, ({ id }) => storedUser(id)), servers.second)
      expect(users.filter(({ email }) => Option.isSome(email)).length).toBe(1)
    })

    it("a change of e-mail and a scheduled deletion are both stored", function*(servers) {
      const accounts = yield* rounds(servers, () => Saved.user())
      yield* allSideBySide(
        servers,
        accounts.flatMap(({ id }) => [changeEmail(id, `a${id}@example.org`), scheduleDeletion(id)])
      )
      const users = yield* Effect.provide(Effect.forEach(accounts, ({ id }) => storedUser(id)), servers.second)
      expect(users.filter((user) => Option.isNone(user.email) || !isPendingDeletion(user))).toEqual([])
    })

    it("a scheduled deletion is cancelled once, with one event", function*(servers) {
      const { id } = yield* Effect.provide(leaving(), servers.first)
      const outcomes = yield* times(servers, 8, cancelDeletion(id))
      expect(failures(outcomes)).toEqual(Arrays.replicate("NoDeletionScheduled", 7))
      const events = yield* Effect.provide(allEvents, servers.second)
      expect(events.filter(({ _tag }) => _tag === "user.deletion_cancelled").length).toBe(1)
    })

    it("audit records of an account form one sequence of states", function*(servers) {
      const { id } = yield* Effect.provide(Saved.user(), servers.first)
      yield* sideBySide(servers, Arrays.range(1, 8).map((reasonCode) => schedule(id, reasonCode)))
      const records = yield* Effect.provide(auditRecords, servers.second)
      const before = records.map((record) => record.before["deletion_reason_code"])
      const after = new Set(records.map((record) => record.after["deletion_reason_code"]))
      // The state after a change is the state before the next one.
      expect(new Set(before).size).toBe(8)
      expect(before.filter((code) => code !== null && !after.has(code))).toEqual([])
    })

    it("a due deletion is cancelled or carried out, never both", function*(servers) {
      const accounts = yield* rounds(servers, () => leaving())
      yield* Time.adjust("1 day")
      const [, ...outcomes] = yield* allSideBySide(servers, [
        deleteDue(),
        ...accounts.map(({ id }) => cancelDeletion(id)),
        deleteDue()
      ])
      // An account that another unit changes at that time is claimed by the next batch.
      yield* Effect.provide(deleteDue(), servers.second)
      const cancelled = outcomes.slice(0, -1).map(Either.isRight)
      const users = yield* Effect.provide(Effect.forEach(accounts, ({ id }) => storedUser(id)), servers.second)
      expect(users.map((user) => !isDeleted(user))).toEqual(cancelled)
    })

    it("a deleted account has no e-mail address, also if others changed it", function*(servers) {
      const accounts = yield* rounds(servers, () => leaving())
      yield* Time.adjust("1 day")
      yield* allSideBySide(servers, [
        deleteDue(),
        ...accounts.map(({ id }) => changeEmailUntilDeleted(id)),
        deleteDue()
      ])
      yield* Effect.provide(deleteDue(), servers.second)
      const users = yield* Effect.provide(Effect.forEach(accounts, ({ id }) => storedUser(id)), servers.second)
      expect(users.filter((user) => !isDeleted(user) || Option.isSome(user.email))).toEqual([])
      // Each deletion appended one event.
      const events = yield* Effect.provide(allEvents, servers.second)
      expect(events.filter(({ _tag }) => _tag === "user.deleted").length).toBe(accounts.length)
    })

    it("a deleted account has no valid token, also if others issued one", function*(servers) {
      const accounts = yield* rounds(servers, () => leaving(true))
      yield* Time.adjust("1 day")
      const issue = (userId: UserId) =>
        Effect.flatMap(Credentials, (credentials) => credentials.issueBotToken(userId, actor))
      yield* allSideBySide(servers, [
        deleteDue(),
        ...accounts.flatMap(({ id }) => [issue(id), issue(id)]),
        deleteDue()
      ])
      yield* Effect.provide(deleteDue(), servers.second)
      const found = yield* Effect.provide(Effect.flatMap(CredentialRepository, ({ list }) => list(ALL)), servers.second)
      expect(found.filter(({ revokedAt }) => Option.isNone(revokedAt))).toEqual([])
    })

    it(
      "a bot token is revoked at the time in its audit record, also if another unit revokes the account's tokens",
      function*(servers) {
        const issued = yield* rounds(servers, () =>
          Effect.flatMap(Saved.user({ bot: true }), ({ id }) =>
            Effect.flatMap(Credentials, (credentials) =>
              credentials.issueBotToken(id, actor))))
        const revocations = issued.flatMap(({ credential: { id, userId } }) => [revokeLater(userId), revoke(id)])
        yield* allSideBySide(servers, revocations)
        const [stored, records] = yield* Effect.provide(
          Effect.all([
            Effect.flatMap(CredentialRepository, ({ list }) =>
              list(ALL)),
            auditRecords
          ]),
          servers.second
        )
        const revoked = new Map(stored.map(({ id, revokedAt }) => [
          String(id),
          Option.getOrUndefined(Option.map(revokedAt, DateTime.formatIso))
        ]))
        const wrong = records.filter(({ action, after, targetId }) =>
          action === "credential.revoke" && after["revoked_at"] !== revoked.get(targetId)
        )
        expect(wrong).toEqual([])
      }
    )

    it("a deleted account is in no guild, also if others added it to one or created one for it", function*(servers) {
      const { guildId } = yield* Effect.provide(Saved.channel(), servers.first)
      const accounts = yield* rounds(servers, () => leaving())
      yield* Time.adjust("1 day")
      const joinUntilDeleted = (userId: UserId) =>
        Effect.forEach(Arrays.range(1, 10), (number) =>
          Effect.flatMap(Memberships, (memberships) =>
            memberships.save(guildId, userId, { nickname: Option.some(String(number)) })))
      const foundUntilDeleted = (ownerId: UserId) =>
        Effect.forEach(Arrays.range(1, 10), () =>
          Effect.flatMap(Guilds, (guilds) =>
            guilds.create({ name: "Looms", ownerId })))
      yield* allSideBySide(servers, [
        deleteDue(),
        ...accounts.flatMap(({ id }) => [joinUntilDeleted(id), foundUntilDeleted(id)]),
        deleteDue()
      ])
      yield* Effect.provide(deleteDue(), servers.second)
      const memberships = Effect.flatMap(
        MembershipRepository,
        ({ ofUser }) =>
          Effect.forEach(accounts, ({ id }) =>
            ofUser(id))
      )
      expect((yield* Effect.provide(memberships, servers.second)).flat()).toEqual([])
    })

    it("a credential is revoked once", function*(servers) {
      const issue = Effect.flatMap(
        Credentials,
        (credentials) =>
          credentials.issueAdminKey({ name: "ops", acls: [] }, actor)
      )
      const { credential } = yield* Effect.provide(issue, servers.first)
      yield* times(servers, 8, revoke(credential.id))
      const records = yield* Effect.provide(auditRecords, servers.second)
      expect(records.map(({ action }) =>
        action
      )).toEqual(["credential.issue", "credential.revoke"])
    })
  })
