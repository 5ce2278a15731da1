import { Clock, Effect } from "effect"

/** How long work goes on before others have their turn, in nanoseconds: with the step that goes past it, under 10 ms. */
const SLICE = 2_000_000n

/** Slices are of real time, whatever clock the program is told. */
const realTime = Clock.make()

/**
 * Lets Node look after its sockets. Effect's own yielding goes on within the same turn of the event loop up to some
 * thousand times, in which no request would be read.
 */
export const yieldToEventLoop = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Long work in slices, of which there is one in a turn of the event loop, however much work there is. */
export interface TimeSlicer {
  /** Takes steps of at most about 5 ms for as long as they say that there is more to do. */
  readonly run: <E, R>(step: Effect.Effect<boolean, E, R>) => Effect.Effect<void, E, R>
}

/** Turns that nobody has taken yet. */
export const make = (): TimeSlicer => {
  // Whoever has had a slice keeps the turn until others have had theirs.
  const turn = Effect.unsafeMakeSemaphore(1)

  const slice = <E, R>(step: Effect.Effect<boolean, E, R>): Effect.Effect<boolean, E, R> =>
    Effect.suspend(() => {
      const end = realTime.unsafeCurrentTimeNanos() + SLICE
      return whileMore(step, () => realTime.unsafeCurrentTimeNanos() < end)
    })

  return {
    run: (step) =>
      Effect.asVoid(whileMore(turn.withPermits(1)(Effect.zipLeft(slice(step), yieldToEventLoop)), () => true))
  }
}

/** Takes steps for as long as they say that there is more to do, and one may go on; the last that they said. */
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
