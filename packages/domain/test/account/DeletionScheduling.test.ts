import * as Faults from "@community-messaging/domain-contract/world/Faults"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { Accounts, DefaultDaysUntilDeletion } from "@community-messaging/domain/account/Accounts"
import * as DeletionSchedule from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { DeletionReasonCode, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { account, ACTOR, auditRecords, events } from "../Stored.ts"
import { inWorld } from "../World.ts"

const ANN = UserId.make("7")

const stored = (id: UserId) => Effect.flatten(Effect.flatMap(UserRepository, (users) => users.find(id)))

const scheduleDeletion = (userId: UserId, request: {
  readonly reasonCode?: number
  readonly publicReason?: string
  readonly days?: number
} = {}) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.scheduleDeletion({
      userId,
      reasonCode: DeletionReasonCode.make(request.reasonCode ?? 1),
      publicReason: Option.fromNullable(request.publicReason),
      daysUntilDeletion: Option.map(
        Option.fromNullable(request.days),
        (days) => DeletionSchedule.DaysUntilDeletion.make(days)
      ),
      actor: ACTOR
    }))

const cancelDeletion = (userId: UserId) =>
  Effect.flatMap(Accounts, (accounts) => accounts.cancelDeletion({ userId, actor: ACTOR }))

const tombstone = (id: string) => account(id, { deletedAt: Option.some(START), username: `deleted-user-${id}` })

const inDays = (days: number) => Option.some(DateTime.addDuration(START, `${days} days`))

describe("scheduling the deletion of an account", () => {
  it.effect("stores the time, the code and the reason, and leaves the account unchanged otherwise", () =>
    Effect.gen(function*() {
      const ann = yield* account(ANN)
      const after = yield* scheduleDeletion(ANN, { reasonCode: 4, publicReason: "Spam", days: 14 })
      expect(after).toEqual({
        ...ann,
        pendingDeletionAt: inDays(14),
        deletionReasonCode: Option.some(4),
        deletionPublicReason: Option.some("Spam")
      })
      expect(yield* stored(ANN)).toEqual(after)
    }).pipe(inWorld))

  it.effect("is due in 60 days by default", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      expect((yield* scheduleDeletion(ANN)).pendingDeletionAt).toEqual(inDays(60))
    }).pipe(inWorld))

  it.effect("is due in the default days that the operator sets", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      expect((yield* scheduleDeletion(ANN)).pendingDeletionAt).toEqual(inDays(30))
    }).pipe(inWorld, Effect.provideService(DefaultDaysUntilDeletion, DeletionSchedule.DaysUntilDeletion.make(30))))

  it.effect("appends an event", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* scheduleDeletion(ANN, { reasonCode: 4, publicReason: "Spam", days: 14 })
      expect(yield* events).toEqual([{
        _tag: "user.deletion_scheduled",
        version: 1,
        userId: ANN,
        pendingDeletionAt: DateTime.addDuration(START, "14 days"),
        reasonCode: 4,
        publicReason: Option.some("Spam")
      }])
    }).pipe(inWorld))

  it.effect("appends an audit record with actor, time, and the values before and after", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* scheduleDeletion(ANN, { reasonCode: 4, publicReason: "Spam", days: 14 })
      expect(yield* auditRecords).toEqual([{
        actor: ACTOR,
        action: "user.schedule_deletion",
        targetId: ANN,
        at: START,
        before: { pending_deletion_at: null, deletion_reason_code: null, deletion_public_reason: null },
        after: {
          pending_deletion_at: "2027-03-15T12:00:00.000Z",
          deletion_reason_code: 4,
          deletion_public_reason: "Spam"
        }
      }])
    }).pipe(inWorld))

  it.effect("again replaces the earlier schedule", () =>
    Effect.gen(function*() {
      const ann = yield* account(ANN)
      yield* scheduleDeletion(ANN, { reasonCode: 4, publicReason: "Spam", days: 14 })
      yield* scheduleDeletion(ANN, { reasonCode: 5, days: 1 })
      expect(yield* stored(ANN)).toEqual({
        ...ann,
        pendingDeletionAt: inDays(1),
        deletionReasonCode: Option.some(5),
        deletionPublicReason: Option.none()
      })
      expect((yield* auditRecords)[1]?.before).toMatchObject({
        deletion_reason_code: 4,
        deletion_public_reason: "Spam"
      })
    }).pipe(inWorld))

  it.effect("fails for a system account, and changes nothing", () =>
    Effect.gen(function*() {
      yield* account(ANN, { system: true })
      expect(yield* failureOf(scheduleDeletion(ANN))).toMatchObject({
        _tag: "SystemAccountNotDeletable",
        userId: ANN
      })
    }).pipe(inWorld))

  it.effect("fails for an account that does not exist", () =>
    Effect.gen(function*() {
      expect(yield* Effect.flip(scheduleDeletion(ANN))).toMatchObject({ _tag: "UnknownUser", userId: ANN })
    }).pipe(inWorld))

  it.effect("fails for an account that was deleted", () =>
    Effect.gen(function*() {
      yield* tombstone(ANN)
      expect(yield* Effect.flip(scheduleDeletion(ANN))).toMatchObject({ _tag: "UnknownUser", userId: ANN })
    }).pipe(inWorld))

  it.effect.each(["audit.append", "events.append"] as const)(
    "changes nothing when %s fails",
    (step) =>
      Effect.gen(function*() {
        yield* account(ANN)
        expect(yield* failureOf(Faults.whileFailing(step)(scheduleDeletion(ANN)))).toMatchObject({
          _tag: "StorageError"
        })
      }).pipe(inWorld)
  )
})

describe("cancelling the deletion of an account", () => {
  it.effect("restores the account", () =>
    Effect.gen(function*() {
      const ann = yield* account(ANN, {
        email: Option.some(EmailAddress.make("ann@mail.test")),
        bio: Option.some("Gardener")
      })
      yield* scheduleDeletion(ANN, { publicReason: "Spam" })
      expect(yield* cancelDeletion(ANN)).toEqual(ann)
      expect(yield* stored(ANN)).toEqual(ann)
    }).pipe(inWorld))

  it.effect("appends an event and an audit record", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* scheduleDeletion(ANN, { reasonCode: 4, publicReason: "Spam", days: 14 })
      yield* Time.adjust("1 day")
      yield* cancelDeletion(ANN)
      expect((yield* events)[1]).toEqual({ _tag: "user.deletion_cancelled", version: 1, userId: ANN })
      expect((yield* auditRecords)[1]).toEqual({
        actor: ACTOR,
        action: "user.cancel_deletion",
        targetId: ANN,
        at: DateTime.addDuration(START, "1 day"),
        before: {
          pending_deletion_at: "2027-03-15T12:00:00.000Z",
          deletion_reason_code: 4,
          deletion_public_reason: "Spam"
        },
        after: { pending_deletion_at: null, deletion_reason_code: null, deletion_public_reason: null }
      })
    }).pipe(inWorld))

  it.effect("fails if none is scheduled, and appends nothing", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      expect(yield* failureOf(cancelDeletion(ANN))).toMatchObject({ _tag: "NoDeletionScheduled", userId: ANN })
    }).pipe(inWorld))

  it.effect("fails if the account is deleted", () =>
    Effect.gen(function*() {
      yield* tombstone(ANN)
      expect(yield* Effect.flip(cancelDeletion(ANN))).toMatchObject({ _tag: "UnknownUser", userId: ANN })
    }).pipe(inWorld))

  it.effect.each(["audit.append", "events.append"] as const)(
    "changes nothing when %s fails",
    (step) =>
      Effect.gen(function*() {
        yield* account(ANN)
        yield* scheduleDeletion(ANN)
        expect(yield* failureOf(Faults.whileFailing(step)(cancelDeletion(ANN)))).toMatchObject({ _tag: "StorageError" })
      }).pipe(inWorld)
  )
})
