import { describe, expect, it } from "@effect/vitest"
import { assertLeft } from "@effect/vitest/utils"
import { DateTime, Option } from "effect"
import { UserId } from "../../src/account/User.ts"
import { ChannelId } from "../../src/guild/Channel.ts"
import { MessagePayload } from "../../src/message/MessagePayload.ts"
import {
  arm,
  IllegalScheduledMessageTransition,
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName,
  violations
} from "../../src/scheduled-message/ScheduledMessage.ts"
import type { ScheduledMessageStatus } from "../../src/scheduled-message/ScheduledMessageStatus.ts"

const BEFORE = DateTime.unsafeMake("2027-01-01T00:00:00Z")
const NOW = DateTime.unsafeMake("2027-02-01T00:00:00Z")

const ID = ScheduledMessageId.make("1")

const inStatus = (status: ScheduledMessageStatus) =>
  ScheduledMessage.make({
    id: ID,
    authorId: UserId.make("2"),
    channelId: ChannelId.make("3"),
    scheduledAt: DateTime.unsafeMake("2027-03-01T08:00:00Z"),
    scheduledLocalAt: LocalDateTime.make("2027-03-01T09:00:00"),
    timezone: TimeZoneName.make("Europe/Berlin"),
    status,
    payload: MessagePayload.make({ content: Option.some("Good morning") }),
    createdAt: BEFORE
  })

describe("a transition that is not in the table", () => {
  it("is rejected", () => {
    assertLeft(
      arm(inStatus("sent")),
      new IllegalScheduledMessageTransition({ scheduledMessageId: ID, from: "sent", to: "scheduled" })
    )
  })
})

describe("an imported scheduled message", () => {
  const ENDED = { endedAt: Option.some(BEFORE) }
  const INVALID = { statusReason: Option.some("Gone."), invalidatedAt: Option.some(BEFORE), ...ENDED }
  const at = (scheduledAt: string, local: string): Partial<ScheduledMessage> => ({
    scheduledAt: DateTime.unsafeMake(scheduledAt),
    scheduledLocalAt: LocalDateTime.make(local)
  })

  it.each<readonly [what: string, message: ScheduledMessage]>([
    ["pending", inStatus("pending")],
    ["scheduled", inStatus("scheduled")],
    ["scheduled and due already", {
      ...inStatus("scheduled"),
      ...at("2027-01-31T23:00:00Z", "2027-02-01T00:00:00")
    }],
    ["scheduled for 365 days ahead", {
      ...inStatus("scheduled"),
      ...at("2028-02-01T00:00:00Z", "2028-02-01T01:00:00")
    }],
    ["scheduled for another attempt", {
      ...inStatus("scheduled"),
      nextAttemptAt: Option.some(inStatus("scheduled").scheduledAt)
    }],
    ["scheduled after the last attempt was counted", { ...inStatus("scheduled"), attempts: 5 }],
    ["sent at an instant that rules of its zone no longer give", {
      ...inStatus("sent"),
      ...ENDED,
      scheduledAt: DateTime.unsafeMake("2027-03-01T07:30:00Z")
    }],
    ["invalid", { ...inStatus("invalid"), ...INVALID }],
    ["failed", { ...inStatus("failed"), ...ENDED, statusReason: Option.some("No.") }],
    ["sent", { ...inStatus("sent"), ...ENDED }],
    ["cancelled", { ...inStatus("cancelled"), ...ENDED }],
    ["cancelled after it was invalid", { ...inStatus("cancelled"), ...INVALID }]
  ])("may be %s", (_, message) => {
    expect(violations(message, NOW)).toEqual([])
  })

  it.each<readonly [reason: string, field: string, message: ScheduledMessage]>([
    [
      "must be 2027-03-01T08:00:00.000Z, when clocks in Europe/Berlin first show 2027-03-01T09:00:00",
      "scheduledAt",
      { ...inStatus("scheduled"), scheduledAt: DateTime.unsafeMake("2027-03-01T09:00:00Z") }
    ],
    [
      "is more than 365 days in the future",
      "scheduledAt",
      { ...inStatus("scheduled"), ...at("2028-02-01T00:00:00.001Z", "2028-02-01T01:00:00.001") }
    ],
    [
      "must be after created_at when the message is pending",
      "scheduledAt",
      { ...inStatus("pending"), createdAt: inStatus("pending").scheduledAt }
    ],
    ["is before scheduled_at", "nextAttemptAt", {
      ...inStatus("scheduled"),
      nextAttemptAt: Option.some(DateTime.subtract(inStatus("scheduled").scheduledAt, { millis: 1 }))
    }],
    ["is more than 365 days in the future", "nextAttemptAt", {
      ...inStatus("scheduled"),
      nextAttemptAt: Option.some(DateTime.add(NOW, { days: 365, millis: 1 }))
    }],
    ["is more than 5", "attempts", { ...inStatus("scheduled"), attempts: 6 }],
    ["is more than 365 days in the future", "endedAt", {
      ...inStatus("sent"),
      endedAt: Option.some(DateTime.add(NOW, { days: 365, millis: 1 }))
    }],
    ["is required when the message is sent", "endedAt", inStatus("sent")],
    ["must not be set when the message is scheduled", "endedAt", { ...inStatus("scheduled"), ...ENDED }],
    ["is required when the message is invalid", "invalidatedAt", {
      ...inStatus("invalid"),
      ...INVALID,
      invalidatedAt: Option.none()
    }],
    ["must not be set when the message is sent", "invalidatedAt", { ...inStatus("sent"), ...INVALID }],
    ["is required when the message is invalid", "statusReason", {
      ...inStatus("invalid"),
      ...INVALID,
      statusReason: Option.none()
    }],
    ["is required when the message is failed", "statusReason", { ...inStatus("failed"), ...ENDED }]
  ])("breaks a rule: %s (%s)", (reason, field, message) => {
    expect(violations(message, NOW)).toEqual([{ field, reason }])
  })
})
