import { describe, expect, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { DateTime, Either, Option, Schema } from "effect"
import * as DeletionSchedule from "../../src/account/DeletionSchedule.ts"
import { EmailAddress } from "../../src/account/EmailAddress.ts"
import { tombstone } from "../../src/account/Tombstone.ts"
import { create, DeletionReasonCode, PublicReason, UnknownUser, User, UserId } from "../../src/account/User.ts"

const NOW = DateTime.unsafeMake("2027-03-01T12:00:00.500Z")

const ann = create({ id: UserId.make("7"), username: "ann", email: EmailAddress.make("ann@mail.test") })

const request = (days: number, reasonCode = 1, publicReason: Option.Option<string> = Option.none()) => ({
  reasonCode: DeletionReasonCode.make(reasonCode),
  publicReason,
  daysUntilDeletion: DeletionSchedule.DaysUntilDeletion.make(days)
})

const noDeletion = {
  pendingDeletionAt: Option.none(),
  deletionReasonCode: Option.none(),
  deletionPublicReason: Option.none(),
  deletedAt: Option.none()
}

const scheduled = (days: number) => Either.getOrThrow(DeletionSchedule.schedule(ann, request(days), NOW))

describe("the request of a deletion", () => {
  it.each<
    readonly [what: string, schema: Schema.Schema.Any, valid: ReadonlyArray<unknown>, invalid: ReadonlyArray<unknown>]
  >([
    ["1 to 365 whole days", DeletionSchedule.DaysUntilDeletion, [1, 365], [0, 366, 1.5]],
    ["a reason code of 31 bits", DeletionReasonCode, [0, 2_147_483_647], [-1, 2_147_483_648, 0.5]],
    ["a reason of 512 characters, where an emoji is one", PublicReason, ["😀".repeat(512)], ["x".repeat(513)]]
  ])("may have %s", (_, schema, valid, invalid) => {
    expect([...valid, ...invalid].filter(Schema.is(schema))).toEqual(valid)
  })
})

describe("scheduling a deletion", () => {
  it("again replaces date, code and reason, also if there is no new reason", () => {
    const first = Either.getOrThrow(DeletionSchedule.schedule(ann, request(30, 4, Option.some("Spam")), NOW))
    const second = DeletionSchedule.schedule(first, request(1, 5), DateTime.add(NOW, { hours: 1 }))
    assertRight(second, {
      ...ann,
      pendingDeletionAt: Option.some(DateTime.unsafeMake("2027-03-02T13:00:00.500Z")),
      deletionReasonCode: Option.some(DeletionReasonCode.make(5)),
      deletionPublicReason: Option.none()
    })
  })

  it("fails for a system account", () => {
    const system = create({ id: UserId.make("1"), username: "system", system: true })
    assertLeft(
      DeletionSchedule.schedule(system, request(1), NOW),
      new DeletionSchedule.SystemAccountNotDeletable({ userId: system.id })
    )
  })

  it("fails if the account is deleted", () => {
    const deleted = tombstone(scheduled(1), NOW)
    assertLeft(DeletionSchedule.schedule(deleted, request(1), NOW), new UnknownUser({ userId: ann.id }))
  })
})

describe("cancelling a deletion", () => {
  it.prop("restores the account", { user: User }, ({ user }) => {
    const before = { ...user, system: false, ...noDeletion }
    const cancelled = Either.flatMap(DeletionSchedule.schedule(before, request(3), NOW), DeletionSchedule.cancel)
    assertRight(cancelled, before)
  })

  it("fails if none is scheduled", () => {
    assertLeft(DeletionSchedule.cancel(ann), new DeletionSchedule.NoDeletionScheduled({ userId: ann.id }))
  })

  it("fails if the account is deleted", () => {
    const deleted = tombstone(scheduled(1), NOW)
    assertLeft(DeletionSchedule.cancel(deleted), new DeletionSchedule.NoDeletionScheduled({ userId: ann.id }))
  })
})

describe("a deletion", () => {
  const dueAt = DateTime.add(NOW, { hours: 24 })

  it.each<readonly [what: string, user: User, now: DateTime.Utc, isDue: boolean]>([
    ["is not due a millisecond before its moment", scheduled(1), DateTime.subtract(dueAt, { millis: 1 }), false],
    ["is due at its moment", scheduled(1), dueAt, true],
    ["is never due if none is scheduled", ann, DateTime.add(NOW, { days: 1000 }), false],
    ["is not due a second time", tombstone(scheduled(1), dueAt), dueAt, false]
  ])("%s", (_, user, now, isDue) => {
    expect(DeletionSchedule.isDue(user, now)).toBe(isDue)
  })
})

describe("the deletion of an imported account", () => {
  const leaving = {
    ...ann,
    pendingDeletionAt: Option.some(DateTime.addDuration(NOW, "365 days")),
    deletionReasonCode: Option.some(DeletionReasonCode.make(1))
  }
  const system: User = { ...ann, system: true }

  it.each<readonly [what: string, user: User]>([
    ["there is none", ann],
    ["there is none of a system account", system],
    ["it lies 365 days ahead", leaving],
    ["it is due already", { ...leaving, pendingDeletionAt: Option.some(DateTime.subtractDuration(NOW, "1 day")) }],
    ["it has a public reason", { ...leaving, deletionPublicReason: Option.some("Spam") }],
    ["the account is a tombstone", tombstone(leaving, NOW)],
    ["the account is a tombstone by a clock that is a day ahead", tombstone(ann, DateTime.add(NOW, { days: 1 }))],
    ["the account is a tombstone whose deletion has no reason", tombstone(ann, NOW)]
  ])("fits when %s", (_, user) => {
    expect(DeletionSchedule.violations(user, NOW)).toEqual([])
  })

  it.each<readonly [reason: string, field: string, user: User]>([
    ["is more than 365 days in the future", "pendingDeletionAt", {
      ...leaving,
      pendingDeletionAt: Option.some(DateTime.add(NOW, { days: 365, millis: 1 }))
    }],
    ["must not be set: a system account cannot be deleted", "pendingDeletionAt", { ...leaving, system: true }],
    ["must not be set: a system account cannot be deleted", "deletedAt", tombstone(system, NOW)],
    ["is in the future", "deletedAt", tombstone(ann, DateTime.add(NOW, { days: 1, millis: 1 }))],
    ["is required when a deletion is scheduled", "deletionReasonCode", {
      ...leaving,
      deletionReasonCode: Option.none()
    }],
    ["must not be set when no deletion is scheduled", "deletionReasonCode", {
      ...leaving,
      pendingDeletionAt: Option.none()
    }],
    ["must not be set when no deletion is scheduled", "deletionPublicReason", {
      ...ann,
      deletionPublicReason: Option.some("Spam")
    }]
  ])("breaks a rule: %s (%s)", (reason, field, user) => {
    expect(DeletionSchedule.violations(user, NOW)).toEqual([{ field, reason }])
  })
})
