import * as Faults from "@community-messaging/domain-contract/world/Faults"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { UserId } from "@community-messaging/domain/account/User"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { account, ACTOR, auditRecords, bot, events } from "../Stored.ts"
import { inWorld } from "../World.ts"

const BOT = UserId.make("8")

const issueBotToken = (userId: UserId) =>
  Effect.flatMap(Credentials, (credentials) => credentials.issueBotToken(userId, ACTOR))

const issueAdminKey = Effect.flatMap(
  Credentials,
  (credentials) => credentials.issueAdminKey({ name: "support", acls: ["user:delete", "user:update:email"] }, ACTOR)
)

const list = Effect.flatMap(Credentials, (credentials) => credentials.list)

const revoke = (id: CredentialId) => Effect.flatMap(Credentials, (credentials) => credentials.revoke(id, ACTOR))

describe("issuing a bot token", () => {
  it.effect("returns a token and stores only its digest", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      const { credential, token } = yield* issueBotToken(BOT)
      const { sha256Hex } = yield* Digest
      expect(Redacted.value(token)).toMatch(/^cmb_/)
      expect(credential).toEqual({
        _tag: "BotToken",
        id: credential.id,
        digest: sha256Hex(Redacted.value(token)),
        createdAt: START,
        revokedAt: Option.none(),
        userId: BOT
      })
      expect(yield* list).toEqual([credential])
    }).pipe(inWorld))

  it.effect("returns another token each time", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      const first = yield* issueBotToken(BOT)
      const second = yield* issueBotToken(BOT)
      expect(Redacted.value(first.token)).not.toBe(Redacted.value(second.token))
      expect(first.credential.id).not.toBe(second.credential.id)
    }).pipe(inWorld))

  it.effect("appends an audit record without the token and its digest", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      const { credential } = yield* issueBotToken(BOT)
      expect(yield* auditRecords).toEqual([{
        actor: ACTOR,
        action: "credential.issue",
        targetId: credential.id,
        at: START,
        before: {},
        after: { kind: "bot", user_id: BOT }
      }])
      expect(yield* events).toEqual([])
    }).pipe(inWorld))

  it.effect("fails for an account that is not a bot, and changes nothing", () =>
    Effect.gen(function*() {
      yield* account(BOT)
      expect(yield* failureOf(issueBotToken(BOT))).toMatchObject({ _tag: "NotABot", userId: BOT })
    }).pipe(inWorld))

  it.effect("fails for an account that does not exist", () =>
    Effect.gen(function*() {
      expect(yield* Effect.flip(issueBotToken(BOT))).toMatchObject({ _tag: "UnknownUser", userId: BOT })
    }).pipe(inWorld))

  it.effect("fails for a bot that was deleted", () =>
    Effect.gen(function*() {
      yield* account(BOT, { bot: true, deletedAt: Option.some(START) })
      expect(yield* Effect.flip(issueBotToken(BOT))).toMatchObject({ _tag: "UnknownUser", userId: BOT })
    }).pipe(inWorld))

  it.effect("changes nothing when the audit log fails", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      expect(yield* failureOf(Faults.whileFailing("audit.append")(issueBotToken(BOT)))).toMatchObject({
        _tag: "StorageError"
      })
    }).pipe(inWorld))
})

describe("issuing an admin key", () => {
  it.effect("returns a token and stores only its digest", () =>
    Effect.gen(function*() {
      const { credential, token } = yield* issueAdminKey
      const { sha256Hex } = yield* Digest
      expect(Redacted.value(token)).toMatch(/^cma_/)
      expect(yield* list).toEqual([{
        _tag: "AdminKey",
        id: credential.id,
        digest: sha256Hex(Redacted.value(token)),
        createdAt: START,
        revokedAt: Option.none(),
        name: "support",
        acls: ["user:delete", "user:update:email"]
      }])
    }).pipe(inWorld))

  it.effect("appends an audit record with its name and access controls", () =>
    Effect.gen(function*() {
      const { credential } = yield* issueAdminKey
      expect(yield* auditRecords).toEqual([{
        actor: ACTOR,
        action: "credential.issue",
        targetId: credential.id,
        at: START,
        before: {},
        after: { kind: "admin", name: "support", acls: "user:delete user:update:email" }
      }])
    }).pipe(inWorld))

  it.effect("changes nothing when the audit log fails", () =>
    Effect.gen(function*() {
      expect(yield* Effect.flip(Faults.whileFailing("audit.append")(issueAdminKey))).toMatchObject({
        _tag: "StorageError"
      })
      expect(yield* list).toEqual([])
      expect(yield* auditRecords).toEqual([])
    }).pipe(inWorld))
})

describe("the list of credentials", () => {
  it.effect("is in the order of their issue, revoked ones included", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      const first = yield* issueAdminKey
      const second = yield* issueBotToken(BOT)
      yield* Time.adjust("1 second")
      const third = yield* issueAdminKey
      yield* revoke(second.credential.id)
      expect((yield* list).map(({ id }) => id)).toEqual([first, second, third].map(({ credential }) => credential.id))
    }).pipe(inWorld))
})

describe("revoking a credential", () => {
  it.effect("stores the time with the credential", () =>
    Effect.gen(function*() {
      const { credential } = yield* issueAdminKey
      yield* Time.adjust("1 hour")
      const revoked = yield* revoke(credential.id)
      expect(revoked).toEqual({ ...credential, revokedAt: Option.some(DateTime.addDuration(START, "1 hour")) })
      expect(yield* list).toEqual([revoked])
    }).pipe(inWorld))

  it.effect("appends an audit record", () =>
    Effect.gen(function*() {
      const { credential } = yield* issueAdminKey
      yield* revoke(credential.id)
      expect((yield* auditRecords)[1]).toEqual({
        actor: ACTOR,
        action: "credential.revoke",
        targetId: credential.id,
        at: START,
        before: { revoked_at: null },
        after: { revoked_at: "2027-03-01T12:00:00.000Z" }
      })
    }).pipe(inWorld))

  it.effect("again changes nothing and appends no audit record", () =>
    Effect.gen(function*() {
      const { credential } = yield* issueAdminKey
      const revoked = yield* revoke(credential.id)
      const before = yield* everything
      yield* Time.adjust("1 hour")
      expect(yield* revoke(credential.id)).toEqual(revoked)
      expect(yield* everything).toEqual(before)
    }).pipe(inWorld))

  it.effect("fails for a credential that was never issued", () =>
    Effect.gen(function*() {
      const id = CredentialId.make("1")
      expect(yield* Effect.flip(revoke(id))).toMatchObject({ _tag: "UnknownCredential", credentialId: id })
    }).pipe(inWorld))

  it.effect("changes nothing when the audit log fails", () =>
    Effect.gen(function*() {
      const { credential } = yield* issueAdminKey
      expect(yield* failureOf(Faults.whileFailing("audit.append")(revoke(credential.id)))).toMatchObject({
        _tag: "StorageError"
      })
    }).pipe(inWorld))
})
