import { Effect } from "effect"
import { nextTurn } from "./NextTurn.ts"

/** The length of a slice in milliseconds. With the step that exceeds it, a slice takes less than 10 ms. */
const SLICE_MILLIS = 2

/** Runs long work in slices: one slice per turn of the event loop, for all work together. */
export interface TimeSlicer {
  /** Repeats a step until it returns false. A step takes at most about 5 ms. */
  readonly run: <E, R>(step: Effect.Effect<boolean, E, R>) => Effect.Effect<void, E, R>
}

/** Makes a time slicer. */
export const make = (): TimeSlicer => {
  // Work holds the permit until the next turn of the event loop, so there is one slice per turn.
  const turn = Effect.unsafeMakeSemaphore(1)

  const slice = <E, R>(step: Effect.Effect<boolean, E, R>): Effect.Effect<boolean, E, R> =>
    Effect.suspend(() => {
      const end = performance.now() + SLICE_MILLIS
      return whileMore(step, () => performance.now() < end)
    })

  return {
    run: (step) => Effect.asVoid(whileMore(turn.withPermits(1)(Effect.zipLeft(slice(step), nextTurn)), () => true))
  }
}

/** Repeats the step until it returns false or the slice ends. Returns the last result. */
const whileMore = <E, R>(step: Effect.Effect<boolean, E, R>, mayGoOn: () => boolean): Effect.Effect<boolean, E, R> =>
  Effect.suspend(() => {
    let isMore = true
    const steps = Effect.whileLoop({
      while: () => isMore && mayGoOn(),
      body: () => step,
      step: (said) => {
        isMore = said
      }
    })
    return Effect.map(steps, () => isMore)
  })
