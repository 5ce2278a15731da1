import { interrupt, letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import * as SideBySide from "@community-messaging/domain/shared-kernel/SideBySide"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect } from "effect"

/** More steps than either takes. */
const STEPS = Arrays.range(1, 200)

/** Work that never ends, and how much of it runs. */
const endless = () => {
  const state = { running: 0 }
  const begin = Effect.sync(() => {
    state.running += 1
  })
  const end = Effect.sync(() => {
    state.running -= 1
  })
  return { state, work: Effect.acquireUseRelease(begin, () => Effect.never, () => end) }
}

const kinds: ReadonlyArray<readonly [string, (work: Effect.Effect<never>) => Effect.Effect<unknown>]> = [
  ["of which the first one counts", (work) => SideBySide.firstOf(work, work)],
  ["of which all count", (work) => SideBySide.all([work, work, work])]
]

it.effect.each(kinds)(
  "effects %s end with their caller, before whatever step it is interrupted",
  ([, sideBySide]) =>
    Effect.forEach(STEPS, (step) =>
      Effect.gen(function*() {
        const { state, work } = endless()
        const caller = yield* yieldingBefore(step, sideBySide(work))
        yield* letOthersRun
        interrupt(caller)
        yield* letOthersRun
        expect([step, state.running, caller.unsafePoll() === null]).toEqual([step, 0, false])
      }), { discard: true })
)

describe("the first of two effects", () => {
  const outcomes: ReadonlyArray<readonly [string, Effect.Effect<string, string>]> = [
    ["a result", Effect.succeed("first")],
    ["a failure", Effect.fail("first")],
    ["an interruption", Effect.interrupt]
  ]
  it.effect.each(outcomes)("decides by %s, after the other one has ended", ([, outcome]) =>
    Effect.gen(function*() {
      for (const isSwapped of [false, true]) {
        const { state, work } = endless()
        const late = Effect.zipRight(Effect.yieldNow(), outcome)
        const exit = yield* Effect.exit(isSwapped ? SideBySide.firstOf(late, work) : SideBySide.firstOf(work, late))
        expect(exit._tag).toBe((yield* Effect.exit(outcome))._tag)
        expect(state.running).toBe(0)
      }
    }))
})

describe("effects of which all count", () => {
  it.effect("run at the same time, and return their results in order", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const results = SideBySide.all([
        Effect.as(Deferred.await(begun), 1),
        Effect.as(Deferred.succeed(begun, undefined), 2)
      ])
      expect(yield* results).toEqual([1, 2])
    }))

  it.effect("fail with the first failure, and end the others", () =>
    Effect.gen(function*() {
      const { state, work } = endless()
      expect(yield* Effect.flip(SideBySide.all([Effect.fail("no"), work]))).toBe("no")
      expect(state.running).toBe(0)
    }))
})
