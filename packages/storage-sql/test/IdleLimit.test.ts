import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { describe, expect, it, vi } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, FiberRef } from "effect"

const LIMIT_MILLIS = 1000

/** Time that only passes when it is told to. */
const stoppedTime = Effect.acquireRelease(
  Effect.sync(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    return (millis: number) => vi.advanceTimersByTime(millis)
  }),
  () => Effect.sync(() => vi.useRealTimers())
)

/** Runs the body with a limit. It is active when `state.lastActive` says so. */
const limited = <A, E, R>(body: Effect.Effect<A, E, R>, state = { lastActive: performance.now() }) =>
  Effect.uninterruptibleMask((restore) =>
    IdleLimit.run(restore, restore(body), {
      limitMillis: LIMIT_MILLIS,
      lastActive: () => state.lastActive,
      expire: () => Exit.fail("idle" as const)
    })
  )

/** Lets the other fibers go on until they wait. */
const letOthersRun = Effect.repeatN(Effect.yieldNow(), 20)

describe("a body that is idle", () => {
  it.scoped("is interrupted when the limit has passed, and not before", () =>
    Effect.gen(function*() {
      const pass = yield* stoppedTime
      const interrupted = yield* Deferred.make<void>()
      const body = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const fiber = yield* Effect.fork(limited(body))
      yield* letOthersRun
      pass(LIMIT_MILLIS - 1)
      yield* letOthersRun
      expect(fiber.unsafePoll()).toBe(null)
      pass(1)
      expect(yield* Fiber.await(fiber)).toEqual(Exit.fail("idle"))
      yield* Deferred.await(interrupted)
    }))

  it.scoped("has as long again whenever it was active", () =>
    Effect.gen(function*() {
      const pass = yield* stoppedTime
      const state = { lastActive: performance.now() }
      const fiber = yield* Effect.fork(limited(Effect.never, state))
      yield* letOthersRun
      pass(LIMIT_MILLIS - 1)
      state.lastActive = performance.now()
      pass(LIMIT_MILLIS - 1)
      yield* letOthersRun
      expect(fiber.unsafePoll()).toBe(null)
      pass(1)
      expect(yield* Fiber.await(fiber)).toEqual(Exit.fail("idle"))
    }))
})

describe("a body that ends in time", () => {
  it.scoped("leaves no timer behind", () =>
    Effect.gen(function*() {
      yield* stoppedTime
      expect(yield* limited(Effect.as(letOthersRun, "done"))).toBe("done")
      expect(vi.getTimerCount()).toBe(0)
    }))

  it.scoped("has no timer at all if it does not wait", () =>
    Effect.gen(function*() {
      yield* stoppedTime
      const started = vi.spyOn(globalThis, "setTimeout")
      expect(yield* limited(Effect.succeed("done"))).toBe("done")
      expect(started).not.toHaveBeenCalled()
    }))

  const waits: ReadonlyArray<readonly [string, Effect.Effect<void>]> = [["at once", Effect.void], [
    "later",
    letOthersRun
  ]]

  it.effect.each(waits)("gives what it set to the fiber that ran it: %s", ([, wait]) =>
    Effect.gen(function*() {
      const ref = FiberRef.unsafeMake("before")
      yield* limited(Effect.zipRight(wait, FiberRef.set(ref, "after")))
      expect(yield* FiberRef.get(ref)).toBe("after")
    }))

  it.effect.each(waits)(
    "gives what it set to the fiber that ran it though it fails: %s",
    ([, wait]) =>
      Effect.gen(function*() {
        const ref = FiberRef.unsafeMake("before")
        yield* Effect.flip(
          limited(wait.pipe(Effect.zipRight(FiberRef.set(ref, "after")), Effect.zipRight(Effect.fail("no"))))
        )
        expect(yield* FiberRef.get(ref)).toBe("after")
      })
  )
})
