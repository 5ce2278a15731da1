import * as DeletionSchedule from "@community-messaging/domain/account/DeletionSchedule"
import { create, DeletionReasonCode, UserId } from "@community-messaging/domain/account/User"
import { TimeZoneName } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { DateTime, Either, Option } from "effect"
import assert from "node:assert/strict"
import { test } from "node:test"
import { postableAt } from "./QuietHours.ts"

const berlin = TimeZoneName.make("Europe/Berlin")
const at = (text: string) => DateTime.unsafeMake(text)
const postable = (due: string) => DateTime.formatIso(postableAt(at(due), berlin))

test("a message of the day is posted at once", () => {
  assert.equal(postable("2026-07-01T12:00:00Z"), "2026-07-01T12:00:00.000Z")
})

test("a message of the evening waits until eight of the next morning", () => {
  assert.equal(postable("2026-07-01T20:30:00Z"), "2026-07-02T06:00:00.000Z")
})

test("eight o'clock is an hour earlier after the night in which clocks go forward", () => {
  assert.equal(postable("2026-03-28T22:00:00Z"), "2026-03-29T06:00:00.000Z")
  assert.equal(postable("2026-03-27T22:00:00Z"), "2026-03-28T07:00:00.000Z")
})

test("the rules of the domain take the time as an argument, too", () => {
  const ada = create({ id: UserId.make("1"), username: "ada" })
  const request = {
    reasonCode: DeletionReasonCode.make(1),
    publicReason: Option.none(),
    daysUntilDeletion: DeletionSchedule.DaysUntilDeletion.make(14)
  }
  const scheduled = Either.getOrThrow(DeletionSchedule.schedule(ada, request, at("2026-01-01T00:00:00Z")))
  assert.equal(DeletionSchedule.isDue(scheduled, at("2026-01-14T23:59:59.999Z")), false)
  assert.equal(DeletionSchedule.isDue(scheduled, at("2026-01-15T00:00:00Z")), true)
})
