import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { account, ACTOR, auditRecords, events } from "../Stored.ts"
import { inWorld } from "../World.ts"

const ANN = UserId.make("7")
const BOB = UserId.make("8")

const address = (text: string) => EmailAddress.make(text)

const stored = (id: UserId) => Effect.flatten(Effect.flatMap(UserRepository, (users) => users.find(id)))

const changeEmail = (userId: UserId, email: string) =>
  Effect.flatMap(Accounts, (accounts) => accounts.changeEmail({ userId, email: address(email), actor: ACTOR }))

describe("changing the e-mail address of an account", () => {
  const verified = (email: string) => ({
    email: Option.some(address(email)),
    emailVerified: Option.some(true),
    emailBounced: Option.some(true)
  })

  it.effect("stores the new one as it is written, neither verified nor bounced", () =>
    Effect.gen(function*() {
      const ann = yield* account(ANN, verified("ann@mail.test"))
      const after = yield* changeEmail(ANN, "Ann.Smith@Mail.Test")
      expect(after).toEqual({
        ...ann,
        email: Option.some("Ann.Smith@Mail.Test"),
        emailVerified: Option.some(false),
        emailBounced: Option.some(false)
      })
      expect(yield* stored(ANN)).toEqual(after)
    }).pipe(inWorld))

  it.effect("adds one to an account without an address", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      expect(yield* changeEmail(ANN, "ann@mail.test")).toMatchObject({
        email: Option.some("ann@mail.test"),
        emailVerified: Option.some(false),
        emailBounced: Option.some(false)
      })
      expect((yield* auditRecords)[0]?.before).toEqual({ email: null })
    }).pipe(inWorld))

  it.effect("appends an event with the names of the fields only", () =>
    Effect.gen(function*() {
      yield* account(ANN, verified("ann@mail.test"))
      yield* changeEmail(ANN, "smith@mail.test")
      expect(yield* events).toEqual([
        { _tag: "user.updated", version: 1, userId: ANN, changed: ["email", "email_verified", "email_bounced"] }
      ])
    }).pipe(inWorld))

  it.effect("appends an audit record with both addresses masked", () =>
    Effect.gen(function*() {
      yield* account(ANN, verified("ann@mail.test"))
      yield* changeEmail(ANN, "smith@post.example")
      expect(yield* auditRecords).toEqual([{
        actor: ACTOR,
        action: "user.change_email",
        targetId: ANN,
        at: START,
        before: { email: "a***@***.test" },
        after: { email: "s***@***.example" }
      }])
    }).pipe(inWorld))

  it.effect("to the same one changes nothing and appends no event", () =>
    Effect.gen(function*() {
      const ann = yield* account(ANN, verified("ann@mail.test"))
      const before = yield* everything
      expect(yield* changeEmail(ANN, "ann@mail.test")).toEqual(ann)
      expect(yield* everything).toEqual(before)
    }).pipe(inWorld))

  it.effect("may change only the case", () =>
    Effect.gen(function*() {
      yield* account(ANN, verified("ann@mail.test"))
      expect((yield* changeEmail(ANN, "Ann@mail.test")).email).toEqual(Option.some("Ann@mail.test"))
    }).pipe(inWorld))

  it.effect("fails if another account has it in any case, and changes nothing", () =>
    Effect.gen(function*() {
      yield* account(ANN, verified("ann@mail.test"))
      yield* account(BOB, verified("Bob@Mail.test"))
      expect(yield* failureOf(changeEmail(ANN, "bOB@mAIL.test"))).toMatchObject({
        _tag: "EmailAlreadyInUse",
        userId: ANN
      })
    }).pipe(inWorld))

  it.effect("works while the account is scheduled for deletion", () =>
    Effect.gen(function*() {
      yield* account(ANN, { ...verified("ann@mail.test"), pendingDeletionAt: Option.some(START) })
      const after = yield* changeEmail(ANN, "smith@mail.test")
      expect([after.email, after.pendingDeletionAt]).toEqual([Option.some("smith@mail.test"), Option.some(START)])
    }).pipe(inWorld))

  it.effect("fails for an account that does not exist or was deleted", () =>
    Effect.gen(function*() {
      yield* account(BOB, { deletedAt: Option.some(START) })
      expect(yield* Effect.flip(changeEmail(ANN, "ann@mail.test"))).toMatchObject({ _tag: "UnknownUser", userId: ANN })
      expect(yield* Effect.flip(changeEmail(BOB, "bob@mail.test"))).toMatchObject({ _tag: "UnknownUser", userId: BOB })
    }).pipe(inWorld))

  it.effect.each(["audit.append", "events.append"] as const)(
    "changes nothing when %s fails",
    (step) =>
      Effect.gen(function*() {
        yield* account(ANN, verified("ann@mail.test"))
        expect(yield* failureOf(Faults.whileFailing(step)(changeEmail(ANN, "smith@mail.test")))).toMatchObject({
          _tag: "StorageError"
        })
      }).pipe(inWorld)
  )
})
