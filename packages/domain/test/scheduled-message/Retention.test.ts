import {
  AN_HOUR_LATER,
  contents,
  dispatch,
  keep,
  removeExpired,
  scene,
  schedule,
  startPlus,
  stored
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { START } from "@community-messaging/domain-contract/world/World"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { it } from "../World.ts"

describe("a scheduled message that ended", () => {
  it("is stored for exactly 31 days, and then removed", function*() {
    const { id } = yield* keep(yield* scene(), { status: "cancelled", endedAt: Option.some(START) })
    yield* Time.setTime(startPlus("31 days").epochMillis)
    expect(yield* removeExpired()).toBe(0)
    yield* Time.adjust("1 millis")
    expect(yield* removeExpired()).toBe(1)
    expect(yield* Effect.option(stored(id))).toEqual(Option.none())
  })

  it("is removed without the message that it posted", function*() {
    const at = yield* scene()
    yield* schedule(at)
    yield* Time.setTime(AN_HOUR_LATER.epochMillis)
    yield* dispatch()
    yield* Time.adjust("32 days")
    expect(yield* removeExpired()).toBe(1)
    expect(yield* contents(at.channel.id)).toEqual(["Good afternoon"])
  })
})
