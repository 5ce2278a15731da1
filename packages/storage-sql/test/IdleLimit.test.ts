import { interrupt, letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect, Exit, FiberRef, Option } from "effect"

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

/** More steps than `limited` takes. */
const STEPS = Arrays.range(1, 100)

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

  it.effect("answers the fiber that ran it, before whatever step this one yields", () =>
    Effect.forEach(STEPS, (step) =>
      Effect.gen(function*() {
        const goesOn = yield* Deferred.make<void>()
        const end = () => Deferred.unsafeDone(goesOn, Exit.void)
        const caller = yield* yieldingBefore(step, limited(Deferred.await(goesOn)), end)
        yield* letOthersRun
        end()
        yield* letOthersRun
        expect([step, caller.unsafePoll()]).toEqual([step, Exit.void])
      }), { discard: true }))
})

describe("a body whose caller is interrupted", () => {
  it.effect("does not continue, before whatever step the caller yields", () =>
    Effect.forEach(STEPS, (step) =>
      Effect.gen(function*() {
        let running = 0
        const begun = Effect.sync(() => {
          running += 1
        })
        const ended = Effect.sync(() => {
          running -= 1
        })
        const body = Effect.acquireUseRelease(begun, () => Effect.never, () => ended)
        const caller = yield* yieldingBefore(step, limited(body))
        yield* letOthersRun
        const hasEnded = Option.isSome(yield* caller.poll)
        expect([step, running]).toEqual([step, hasEnded ? 0 : 1])
        interrupt(caller)
        yield* letOthersRun
        expect([step, running]).toEqual([step, 0])
      }), { discard: true }))
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
