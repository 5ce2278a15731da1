import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { vi } from "vitest"

describe("The next turn of the event loop", () => {
  it.effect("begins after work that is queued in this turn", () =>
    Effect.gen(function*() {
      const done: Array<string> = []
      setImmediate(() => done.push("queued"))
      yield* nextTurn
      expect(done).toEqual(["queued"])
    }))

  it.effect("is not requested any more by a fiber that is interrupted", () =>
    Effect.gen(function*() {
      const cleared = vi.spyOn(globalThis, "clearImmediate")
      const fiber = yield* Effect.fork(nextTurn)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect(cleared).toHaveBeenCalledOnce()
      cleared.mockRestore()
    }))
})
