import * as Faults from "@community-messaging/domain-contract/world/Faults"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { UserId } from "@community-messaging/domain/account/User"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { describe, expect } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { account, ACTOR, auditRecords, bot, events } from "../Stored.ts"
import { it } from "../World.ts"

const BOT = UserId.make("8")

const issueBotToken = (userId: UserId) =>
  Effect.flatMap(Credentials, (credentials) => credentials.issueBotToken(userId, ACTOR))

const issueAdminKey = Effect.flatMap(
  Credentials,
  (credentials) => credentials.issueAdminKey({ name: "support", acls: ["user:delete", "user:update:email"] }, ACTOR)
)

const list = Effect.flatMap(
  CredentialRepository,
  (credentials) => credentials.list({ after: Option.none(), limit: 10 })
)

const revoke = (id: CredentialId) => Effect.flatMap(Credentials, (credentials) => credentials.revoke(id, ACTOR))

describe("issuing a bot token", () => {
  it("returns a token and stores only its digest, with an audit record", function*() {
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
    expect(yield* auditRecords).toEqual([{
      actor: ACTOR,
      action: "credential.issue",
      targetId: credential.id,
      at: START,
      before: {},
      after: { kind: "bot", user_id: BOT }
    }])
    expect(yield* events).toEqual([])
  })

  it("fails for an account that is not a bot, and changes nothing", function*() {
    yield* account(BOT)
    expect(yield* failureOf(issueBotToken(BOT))).toMatchObject({ _tag: "NotABot", userId: BOT })
  })

  it("fails for a bot that does not exist or was deleted", function*() {
    expect(yield* Effect.flip(issueBotToken(BOT))).toMatchObject({ _tag: "UnknownUser", userId: BOT })
    yield* account(BOT, { bot: true, deletedAt: Option.some(START) })
    expect(yield* Effect.flip(issueBotToken(BOT))).toMatchObject({ _tag: "UnknownUser", userId: BOT })
  })
})

describe("issuing an admin key", () => {
  it("returns a token and stores only its digest, with an audit record", function*() {
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
    expect(yield* auditRecords).toEqual([{
      actor: ACTOR,
      action: "credential.issue",
      targetId: credential.id,
      at: START,
      before: {},
      after: { kind: "admin", name: "support", acls: "user:delete user:update:email" }
    }])
  })
})

describe("revoking a credential", () => {
  it("stores the time with the credential, and appends an audit record", function*() {
    const { credential } = yield* issueAdminKey
    yield* Time.adjust("1 hour")
    const revoked = yield* revoke(credential.id)
    const at = DateTime.addDuration(START, "1 hour")
    expect(revoked).toEqual({ ...credential, revokedAt: Option.some(at) })
    expect(yield* list).toEqual([revoked])
    expect((yield* auditRecords)[1]).toEqual({
      actor: ACTOR,
      action: "credential.revoke",
      targetId: credential.id,
      at,
      before: { revoked_at: null },
      after: { revoked_at: "2027-03-01T13:00:00.000Z" }
    })
  })

  it("again changes nothing and appends no audit record", function*() {
    const { credential } = yield* issueAdminKey
    const revoked = yield* revoke(credential.id)
    const before = yield* everything
    yield* Time.adjust("1 hour")
    expect(yield* revoke(credential.id)).toEqual(revoked)
    expect(yield* everything).toEqual(before)
  })

  it("fails for a credential that was never issued", function*() {
    const id = CredentialId.make("1")
    expect(yield* Effect.flip(revoke(id))).toMatchObject({ _tag: "UnknownCredential", credentialId: id })
  })
})

const operations: ReadonlyArray<
  readonly [
    what: string,
    operation: Effect.Effect<unknown, { readonly _tag: string }, Credentials | CredentialRepository>
  ]
> = [
  ["issuing a bot token", issueBotToken(BOT)],
  ["issuing an admin key", issueAdminKey],
  ["revoking a credential", Effect.flatMap(list, ([first]) => revoke(first?.id ?? CredentialId.make("1")))]
]

it.each(operations)("%s changes nothing when the audit log fails", function*([, operation]) {
  yield* bot(BOT)
  yield* issueAdminKey
  expect(yield* failureOf(Faults.whileFailing("audit.append")(operation))).toMatchObject({ _tag: "StorageError" })
})
