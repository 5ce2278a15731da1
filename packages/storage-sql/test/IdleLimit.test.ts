import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, FiberRef } from "effect"

const LIMIT_MILLIS = 1000

/** Runs the body with a limit. `state.lastActive` is its last activity. */
const limited = <A, E, R>(body: Effect.Effect<A, E, R>, state = { lastActive: performance.now() }) =>
  Effect.uninterruptibleMask((restore) =>
    IdleLimit.run(restore, body, {
      limitMillis: LIMIT_MILLIS,
      lastActive: () => state.lastActive,
      expire: () => {}
    })
  )

/** Lets the other fibers run until they wait. */
const letOthersRun = Effect.repeatN(Effect.yieldNow(), 20)

describe("a body that ends in time", () => {
  const waits: ReadonlyArray<readonly [string, Effect.Effect<void>]> = [["at once", Effect.void], [
    "later",
    letOthersRun
  ]]

  it.effect.each(waits)("passes its fiber refs to the fiber that ran it: %s", ([, wait]) =>
    Effect.gen(function*() {
      const ref = FiberRef.unsafeMake("before")
      yield* limited(Effect.zipRight(wait, FiberRef.set(ref, "after")))
      expect(yield* FiberRef.get(ref)).toBe("after")
    }))

  it.effect.each(waits)(
    "passes its fiber refs to the fiber that ran it even if it fails: %s",
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

describe("a body that is idle for too long", () => {
  it.effect("is interrupted", () =>
    Effect.gen(function*() {
      const interrupted = yield* Deferred.make<void>()
      const body = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      yield* Effect.flip(limited(body, { lastActive: performance.now() - LIMIT_MILLIS }))
      yield* letOthersRun
      expect(yield* Deferred.isDone(interrupted)).toBe(true)
    }))
})
