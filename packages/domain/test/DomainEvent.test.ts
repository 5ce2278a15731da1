import { describe, expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { DeletionReasonCode, UserId } from "../src/account/User.ts"
import * as Events from "../src/DomainEvent.ts"

/** The events of the domain. */
const EVENTS = {
  "message.created": Events.MessageCreated,
  "scheduled_message.updated": Events.ScheduledMessageUpdated,
  "user.updated": Events.UserUpdated,
  "user.deletion_scheduled": Events.UserDeletionScheduled,
  "user.deletion_cancelled": Events.UserDeletionCancelled,
  "user.deleted": Events.UserDeleted,
  "webhook.updated": Events.WebhookUpdated,
  "consent.granted": Events.ConsentGranted,
  "member.joined": Events.MemberJoined,
  "member.updated": Events.MemberUpdated,
  "member.left": Events.MemberLeft
}

const AsJson = Schema.parseJson(Events.DomainEvent)
const encode = Schema.encodeSync(AsJson)
const decode = Schema.decodeSync(AsJson)
const same = Schema.equivalence(Events.DomainEvent)

describe("events", () => {
  it("are these and no others", () => {
    expect(new Set<unknown>(Events.DomainEvent.members)).toEqual(new Set<unknown>(Object.values(EVENTS)))
  })

  for (const [type, schema] of Object.entries(EVENTS)) {
    it.prop(`of type ${type} come back from JSON as they went in`, { event: schema }, ({ event }) => {
      expect(event).toMatchObject({ _tag: type, version: 1 })
      expect(same(decode(encode(event)), event)).toBe(true)
    })
  }

  it("are told apart by everything they hold", () => {
    const joined = { version: 1, guildId: "1", userId: "2" } as const
    const event = decode(JSON.stringify({ _tag: "member.joined", ...joined }))
    expect(same(event, decode(JSON.stringify({ _tag: "member.left", ...joined })))).toBe(false)
    expect(same(event, decode(JSON.stringify({ _tag: "member.joined", ...joined, userId: "3" })))).toBe(false)
  })

  it("are plain JSON, a value that is not there left out", () => {
    const event = Events.UserDeletionScheduled.make({
      version: 1,
      userId: UserId.make("7"),
      pendingDeletionAt: DateTime.unsafeMake("2027-03-15T12:00:00Z"),
      reasonCode: DeletionReasonCode.make(4)
    })
    expect(JSON.parse(encode(event))).toEqual({
      _tag: "user.deletion_scheduled",
      version: 1,
      userId: "7",
      pendingDeletionAt: "2027-03-15T12:00:00.000Z",
      reasonCode: 4
    })
  })
})
