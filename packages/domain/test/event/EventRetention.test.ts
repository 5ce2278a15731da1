import * as Time from "@community-messaging/domain-contract/world/Time"
import { UserId } from "@community-messaging/domain/account/User"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import { EventRetention, ExpiredEvents } from "@community-messaging/domain/event/EventRetention"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { it } from "../World.ts"

const append = (id: number) =>
  Effect.flatMap(EventLog, (log) => log.append(UserDeleted.make({ version: 1, userId: UserId.make(String(id)) })))

const removeExpired = (limit: number) => Effect.flatMap(ExpiredEvents, ({ remove }) => remove(limit))

/** The sequence numbers of the remaining events. */
const left = Effect.map(
  Effect.flatMap(EventLog, (log) => log.read(0, 100)),
  (events) => events.map(({ event }) => "userId" in event ? event.userId : event._tag)
)

describe("Events", () => {
  it("are removed when they are older than 31 days, and not before", function*() {
    yield* append(1)
    yield* Time.adjust("1 millis")
    yield* append(2)
    yield* Time.adjust("31 days")
    expect(yield* removeExpired(10)).toBe(1)
    expect(yield* left).toEqual(["2"])
    expect(yield* removeExpired(10)).toBe(0)
  })

  it("are stored for the time that the layer was given, and at most the limit is removed", function*() {
    yield* Effect.forEach([1, 2, 3], append)
    yield* Time.adjust("61 seconds")
    const ofAMinute = Layer.provide(ExpiredEvents.layer, Layer.succeed(EventRetention, Duration.minutes(1)))
    expect(yield* Effect.provide(removeExpired(2), ofAMinute)).toBe(2)
    expect(yield* left).toEqual(["3"])
  })
})
