import { START } from "@community-messaging/domain-contract/world/World"
import { Authentication } from "@community-messaging/domain/access/Authentication"
import { type AccessControl, AdminKey, allows } from "@community-messaging/domain/access/Credential"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import * as Token from "@community-messaging/domain/access/Token"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { describe, expect, it } from "@effect/vitest"
import { type Clock, Effect, Exit, Fiber, Option, Redacted, TestClock } from "effect"
import { ACTOR, bot } from "../Stored.ts"
import { inWorld } from "../World.ts"

const BOT = UserId.make("8")
const OTHER_BOT = UserId.make("9")

const asBot = (token: Redacted.Redacted) =>
  Effect.flatMap(Authentication, (authentication) => authentication.bot(token))
const asAdmin = (token: Redacted.Redacted) =>
  Effect.flatMap(Authentication, (authentication) => authentication.admin(token))

const botToken = (userId: UserId) =>
  Effect.flatMap(Credentials, (credentials) => credentials.issueBotToken(userId, ACTOR))

const adminKey = (...acls: ReadonlyArray<AccessControl>) =>
  Effect.flatMap(Credentials, (credentials) => credentials.issueAdminKey({ name: "support", acls }, ACTOR))

const revoke = (id: CredentialId) => Effect.flatMap(Credentials, (credentials) => credentials.revoke(id, ACTOR))

const INVALID = { _tag: "InvalidCredentials" }

/** A well-formed token that was never issued. */
const neverIssued = (kind: Token.TokenKind) => Token.format(kind, new Uint8Array(32).fill(255))

describe("a bot token", () => {
  it.effect("returns the account that it belongs to, which may have several", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      yield* bot(OTHER_BOT)
      const tokens = yield* Effect.forEach([BOT, OTHER_BOT, BOT], botToken)
      expect(yield* Effect.forEach(tokens, ({ token }) => asBot(token))).toEqual([
        { id: BOT },
        { id: OTHER_BOT },
        { id: BOT }
      ])
    }).pipe(inWorld))

  it.effect("that was revoked is rejected, while other tokens of the account still work", () =>
    Effect.gen(function*() {
      yield* bot(BOT)
      const revoked = yield* botToken(BOT)
      const other = yield* botToken(BOT)
      yield* revoke(revoked.credential.id)
      expect(yield* Effect.flip(asBot(revoked.token))).toMatchObject(INVALID)
      expect((yield* asBot(other.token)).id).toBe(BOT)
    }).pipe(inWorld))

  it.effect("does not work while the account is scheduled for deletion, and works again when that is cancelled", () =>
    Effect.gen(function*() {
      const users = yield* UserRepository
      const user = yield* bot(BOT)
      const { token } = yield* botToken(BOT)
      yield* users.save({ ...user, pendingDeletionAt: Option.some(START) })
      expect(yield* Effect.flip(asBot(token))).toMatchObject({ _tag: "AccountScheduledForDeletion", userId: BOT })
      yield* users.save(user)
      expect(yield* asBot(token)).toEqual({ id: BOT })
    }).pipe(inWorld))

  it.effect("of a deleted account is unknown", () =>
    Effect.gen(function*() {
      const user = yield* bot(BOT)
      const { token } = yield* botToken(BOT)
      const users = yield* UserRepository
      yield* users.save({ ...user, pendingDeletionAt: Option.some(START), deletedAt: Option.some(START) })
      expect(yield* Effect.flip(asBot(token))).toMatchObject(INVALID)
    }).pipe(inWorld))
})

describe("an admin key", () => {
  it.effect("returns its name and its access controls", () =>
    Effect.gen(function*() {
      const { credential, token } = yield* adminKey("user:delete")
      expect(yield* asAdmin(token)).toEqual(credential)
      expect(credential).toMatchObject({ _tag: "AdminKey", name: "support", acls: ["user:delete"] })
    }).pipe(inWorld))
})

describe("a credential is rejected", () => {
  it.effect.each<
    readonly [what: string, use: Effect.Effect<unknown, { readonly _tag: string }, Authentication | Credentials>]
  >(
    [
      ["a malformed bot token", asBot(Redacted.make("cmb_"))],
      ["a bot token that was never issued", asBot(neverIssued("bot"))],
      ["an admin key as a bot token", Effect.flatMap(adminKey("*"), ({ token }) => asBot(token))],
      ["a malformed admin key", asAdmin(Redacted.make("cma_"))],
      ["an admin key that was never issued", asAdmin(neverIssued("admin"))],
      ["a bot token as an admin key", Effect.flatMap(botToken(BOT), ({ token }) => asAdmin(token))],
      [
        "an admin key that was revoked",
        Effect.flatMap(adminKey("*"), ({ credential, token }) => Effect.zipRight(revoke(credential.id), asAdmin(token)))
      ]
    ]
  )("if it is %s", ([, use]) =>
    Effect.gen(function*() {
      yield* bot(BOT)
      expect(yield* Effect.flip(use)).toMatchObject(INVALID)
    }).pipe(inWorld))
})

describe("the access controls of an admin key", () => {
  const key = (...acls: ReadonlyArray<AccessControl>) =>
    AdminKey.make({
      id: CredentialId.make("1"),
      digest: Token.TokenDigest.make("0".repeat(64)),
      createdAt: START,
      name: "support",
      acls
    })

  it.each<readonly [held: ReadonlyArray<AccessControl>, required: AccessControl, isAllowed: boolean]>([
    [["events:read", "user:update:email"], "user:update:email", true],
    [["*"], "user:delete", true],
    [[], "user:delete", false],
    [["user:delete", "events:read", "audit:read"], "user:update:email", false],
    [["user:delete", "user:update:email"], "*", false]
  ])("%j allow %s: %s", (held, required, isAllowed) => {
    expect(allows(key(...held), required)).toBe(isAllowed)
  })
})

describe("a credential in use", () => {
  /** Waits on the given clock: otherwise, a fiber sleeps in real time in these tests. */
  const untilRevoked = (id: CredentialId, clock: Clock.Clock) =>
    Effect.flatMap(Authentication, (authentication) => Effect.withClock(authentication.untilRevoked(id), clock))

  it.effect("is recognised as revoked within a second, and not before", () =>
    Effect.flatMap(TestClock.testClock(), (clock) =>
      Effect.gen(function*() {
        const { credential: { id } } = yield* adminKey("*")
        const use = yield* Effect.fork(untilRevoked(id, clock))
        yield* clock.adjust("1 minute")
        expect(Option.isNone(yield* Fiber.poll(use))).toBe(true)
        yield* revoke(id)
        yield* clock.adjust("1 second")
        expect(yield* Fiber.poll(use)).toEqual(Option.some(Exit.void))
      }).pipe(inWorld)))

  it.effect("is recognised as unknown", () =>
    Effect.flatMap(TestClock.testClock(), (clock) =>
      Effect.gen(function*() {
        const use = yield* Effect.fork(untilRevoked(CredentialId.make("404"), clock))
        yield* clock.adjust("1 second")
        expect(yield* Fiber.poll(use)).toEqual(Option.some(Exit.void))
      }).pipe(inWorld)))
})
