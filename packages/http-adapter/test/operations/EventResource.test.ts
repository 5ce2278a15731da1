import { arbitrary } from "@community-messaging/domain-contract/Arbitraries"
import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { EventResource, fromEntity } from "@community-messaging/http-adapter/operations/EventResource"
import { it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { describe, expect } from "vitest"
import { inSnakeCase } from "../wire/InSnakeCase.ts"

const isResource = Schema.is(EventResource, { onExcessProperty: "error" })

/** Events whose times are in years that RFC 3339 has. */
const events = arbitrary(DomainEvent)

/** Where the reference has another name. */
const RENAMED: Readonly<Record<string, string>> = { application_id: "client_id" }

/** The events in the stream (Events, Types). */
describe("The resource of an event", () => {
  it.prop("has its type, its version and all fields of its data", { event: events }, ({ event }) => {
    const resource = fromEntity({ sequence: 7, occurredAt: DateTime.unsafeMake(0), event })
    expect(isResource(resource)).toBe(true)
    const { _tag: type, version, ...fields } = event
    expect(resource).toMatchObject({ sequence: 7, occurred_at: "1970-01-01T00:00:00.000Z", type, version })
    if (type !== "message.created") {
      const data = Object.entries(inSnakeCase(fields)).map(([name, value]) => [RENAMED[name] ?? name, value])
      expect(resource.data).toEqual(Object.fromEntries(data))
    }
  })
})
