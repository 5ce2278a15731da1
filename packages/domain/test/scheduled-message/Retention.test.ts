import {
  AN_HOUR_LATER,
  contents,
  dispatch,
  inUtc,
  keep,
  removeExpired,
  scene,
  schedule,
  startPlus,
  stored
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { START } from "@community-messaging/domain-contract/world/World"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { inWorld } from "../World.ts"

describe("a scheduled message that ended", () => {
  it.effect.each(["sent", "cancelled", "invalid", "failed"] as const)(
    "as %s is stored for exactly 31 days, and then removed",
    (status) =>
      Effect.gen(function*() {
        const { id } = yield* keep(yield* scene(), { status, endedAt: Option.some(START) })
        yield* Time.setTime(startPlus("31 days").epochMillis)
        expect(yield* removeExpired()).toBe(0)
        yield* Time.adjust("1 millis")
        expect(yield* removeExpired()).toBe(1)
        expect(yield* Effect.option(stored(id))).toEqual(Option.none())
      }).pipe(inWorld)
  )

  it.effect("is not removed if it was edited and armed again", () =>
    Effect.gen(function*() {
      const message = yield* keep(yield* scene(), { status: "failed", endedAt: Option.some(START) })
      yield* (yield* ScheduledMessages).edit(message.authorId, message.id, inUtc(startPlus("100 days")))
      yield* Time.adjust("90 days")
      expect(yield* removeExpired()).toBe(0)
    }).pipe(inWorld))

  it.effect("is removed without the message that it posted", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      yield* Time.setTime(AN_HOUR_LATER.epochMillis)
      yield* dispatch()
      yield* Time.adjust("32 days")
      expect(yield* removeExpired()).toBe(1)
      expect(yield* contents(at.channel.id)).toEqual(["Good afternoon"])
    }).pipe(inWorld))

  it.effect("is removed with others, at most the limit", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      const ended = Effect.suspend(() => keep(at, { status: "cancelled", endedAt: Option.some(START) }))
      yield* Effect.replicateEffect(ended, 3)
      yield* Time.adjust("32 days")
      expect([yield* removeExpired(2), yield* removeExpired(2)]).toEqual([2, 1])
    }).pipe(inWorld))
})

describe("a scheduled message that has not ended", () => {
  it.effect("is never removed, at any age", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      yield* keep(at, { status: "pending" })
      yield* Time.adjust("1000 days")
      expect(yield* removeExpired()).toBe(0)
    }).pipe(inWorld))
})
