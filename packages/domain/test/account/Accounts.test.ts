import * as Faults from "@community-messaging/domain-contract/world/Faults"
import { storedUser } from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { Accounts, DefaultDaysUntilDeletion } from "@community-messaging/domain/account/Accounts"
import { DaysUntilDeletion } from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { DeletionReasonCode, type User, UserId } from "@community-messaging/domain/account/User"
import { describe, expect } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { account, ACTOR, auditRecords, events } from "../Stored.ts"
import { it } from "../World.ts"

const ANN = UserId.make("7")
const BOB = UserId.make("8")

const scheduleDeletion = (daysUntilDeletion: Option.Option<DaysUntilDeletion> = Option.none()) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.scheduleDeletion({
      userId: ANN,
      reasonCode: DeletionReasonCode.make(4),
      publicReason: Option.some("Spam"),
      daysUntilDeletion,
      actor: ACTOR
    }))

const scheduleIn14Days = scheduleDeletion(Option.some(DaysUntilDeletion.make(14)))

const cancelDeletion = Effect.flatMap(Accounts, (accounts) => accounts.cancelDeletion({ userId: ANN, actor: ACTOR }))

const changeEmail = (email: string) =>
  Effect.flatMap(
    Accounts,
    (accounts) => accounts.changeEmail({ userId: ANN, email: EmailAddress.make(email), actor: ACTOR })
  )

const inDays = (days: number) => Option.some(DateTime.addDuration(START, `${days} days`))

const NOT_SCHEDULED = { pending_deletion_at: null, deletion_reason_code: null, deletion_public_reason: null }

const IN_14_DAYS = {
  pending_deletion_at: "2027-03-15T12:00:00.000Z",
  deletion_reason_code: 4,
  deletion_public_reason: "Spam"
}

const verified = (email: string) => ({
  email: Option.some(EmailAddress.make(email)),
  emailVerified: Option.some(true),
  emailBounced: Option.some(true)
})

describe("scheduling the deletion of an account", () => {
  it("stores it, with an event and an audit record of the values before and after", function*() {
    const ann = yield* account(ANN)
    const after = yield* scheduleIn14Days
    expect(after).toEqual({
      ...ann,
      pendingDeletionAt: inDays(14),
      deletionReasonCode: Option.some(4),
      deletionPublicReason: Option.some("Spam")
    })
    expect(yield* storedUser(ANN)).toEqual(after)
    expect(yield* events).toEqual([{
      _tag: "user.deletion_scheduled",
      version: 1,
      userId: ANN,
      pendingDeletionAt: DateTime.addDuration(START, "14 days"),
      reasonCode: 4,
      publicReason: Option.some("Spam")
    }])
    expect(yield* auditRecords).toEqual([{
      actor: ACTOR,
      action: "user.schedule_deletion",
      targetId: ANN,
      at: START,
      before: NOT_SCHEDULED,
      after: IN_14_DAYS
    }])
  })

  it("is due in 60 days by default", function*() {
    yield* account(ANN)
    expect((yield* scheduleDeletion()).pendingDeletionAt).toEqual(inDays(60))
  })

  it("is due in the default days that the operator sets", function*() {
    yield* account(ANN)
    const in30Days = Layer.succeed(DefaultDaysUntilDeletion, DaysUntilDeletion.make(30))
    const { pendingDeletionAt } = yield* Effect.provide(scheduleDeletion(), Layer.provide(Accounts.layer, in30Days))
    expect(pendingDeletionAt).toEqual(inDays(30))
  })
})

describe("cancelling the deletion of an account", () => {
  it("restores the account, with an event and an audit record", function*() {
    const ann = yield* account(ANN)
    yield* scheduleIn14Days
    yield* Time.adjust("1 day")
    expect(yield* cancelDeletion).toEqual(ann)
    expect(yield* storedUser(ANN)).toEqual(ann)
    expect((yield* events)[1]).toEqual({ _tag: "user.deletion_cancelled", version: 1, userId: ANN })
    expect((yield* auditRecords)[1]).toEqual({
      actor: ACTOR,
      action: "user.cancel_deletion",
      targetId: ANN,
      at: DateTime.addDuration(START, "1 day"),
      before: IN_14_DAYS,
      after: NOT_SCHEDULED
    })
  })
})

describe("changing the e-mail address of an account", () => {
  it("stores it as it is written, neither verified nor bounced, and records both addresses masked", function*() {
    const ann = yield* account(ANN, verified("ann@mail.test"))
    const after = yield* changeEmail("Smith@Post.Example")
    expect(after).toEqual({
      ...ann,
      email: Option.some("Smith@Post.Example"),
      emailVerified: Option.some(false),
      emailBounced: Option.some(false)
    })
    expect(yield* storedUser(ANN)).toEqual(after)
    expect(yield* events).toEqual([
      { _tag: "user.updated", version: 1, userId: ANN, changed: ["email", "email_verified", "email_bounced"] }
    ])
    expect(yield* auditRecords).toEqual([{
      actor: ACTOR,
      action: "user.change_email",
      targetId: ANN,
      at: START,
      before: { email: "a***@***.test", email_verified: true, email_bounced: true },
      after: { email: "S***@***.Example", email_verified: false, email_bounced: false }
    }])
  })

  it("names only changed fields in the event and in the audit record", function*() {
    yield* account(ANN)
    yield* changeEmail("ann@mail.test")
    yield* changeEmail("smith@mail.test")
    expect((yield* events)[1]).toMatchObject({ changed: ["email"] })
    expect((yield* auditRecords)[1]?.after).toEqual({ email: "s***@***.test" })
  })

  it("adds one to an account without an address", function*() {
    yield* account(ANN)
    expect((yield* changeEmail("ann@mail.test")).email).toEqual(Option.some("ann@mail.test"))
    expect((yield* auditRecords)[0]?.before).toEqual({ email: null, email_verified: null, email_bounced: null })
  })

  it("to the same one changes nothing and appends no event", function*() {
    const ann = yield* account(ANN, verified("ann@mail.test"))
    const before = yield* everything
    expect(yield* changeEmail("ann@mail.test")).toEqual(ann)
    expect(yield* everything).toEqual(before)
  })

  it("may change only the case", function*() {
    yield* account(ANN, verified("ann@mail.test"))
    expect((yield* changeEmail("Ann@mail.test")).email).toEqual(Option.some("Ann@mail.test"))
  })

  it("fails if another account has it in any case, and changes nothing", function*() {
    yield* account(ANN, verified("ann@mail.test"))
    yield* account(BOB, verified("Bob@Mail.test"))
    expect(yield* failureOf(changeEmail("bOB@mAIL.test"))).toMatchObject({ _tag: "EmailAlreadyInUse", userId: ANN })
  })
})

const operations: ReadonlyArray<
  readonly [what: string, operation: Effect.Effect<User, { readonly _tag: string }, Accounts>]
> = [
  ["scheduling its deletion", scheduleDeletion()],
  ["cancelling its deletion", cancelDeletion],
  ["changing its address", changeEmail("ann@mail.test")]
]

describe("an account", () => {
  it.each(operations)("must exist, and not be deleted, for %s", function*([, operation]) {
    expect(yield* Effect.flip(operation)).toMatchObject({ _tag: "UnknownUser", userId: ANN })
    yield* account(ANN, { deletedAt: Option.some(START) })
    expect(yield* Effect.flip(operation)).toMatchObject({ _tag: "UnknownUser", userId: ANN })
  })

  it.each(operations)("is unchanged if the audit log fails for %s", function*([, operation]) {
    yield* account(ANN, { pendingDeletionAt: Option.some(START) })
    expect(yield* failureOf(Faults.whileFailing("audit.append")(operation))).toMatchObject({ _tag: "StorageError" })
  })
})
