import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { Effect } from "effect"

/** The length of a slice in milliseconds. With the step that exceeds it, a slice takes less than 10 ms. */
const SLICE_MILLIS = 2

/**
 * Runs long work in slices: one slice in each turn of the event loop, and a slice of each work in turn. Repeats a step until it
 * returns false. A step takes at most about 5 ms.
 */
export type RunInSlices = <E, R>(step: Effect.Effect<boolean, E, R>) => Effect.Effect<void, E, R>

/** Makes the function. `now` is a clock in milliseconds. */
export const make = (now: () => number = () => performance.now()): RunInSlices => {
  // Work holds the lock until the next turn of the event loop, so there is one slice in each turn.
  const turn = new FifoLock()

  const slice = <E, R>(step: Effect.Effect<boolean, E, R>): Effect.Effect<boolean, E, R> =>
    Effect.suspend(() => {
      const end = now() + SLICE_MILLIS
      return whileMore(step, () => now() < end)
    })

  return (step) => Effect.asVoid(whileMore(turn.inTurn(Effect.zipLeft(slice(step), nextTurn)), () => true))
}

/** Repeats the step until it returns false or the slice ends. Returns the last result. */
const whileMore = <E, R>(
  step: Effect.Effect<boolean, E, R>,
  mayContinue: () => boolean
): Effect.Effect<boolean, E, R> =>
  Effect.suspend(() => {
    let isMore = true
    const steps = Effect.whileLoop({
      while: () => isMore && mayContinue(),
      body: () => step,
      step: (result) => {
        isMore = result
      }
    })
    return Effect.map(steps, () => isMore)
  })
