import { Duration, Effect } from "effect"

/**
 * Makes a function that logs a line, unless it has logged another one within the interval. Time is monotonic, so that a
 * change of the wall clock hides no lines.
 */
export const make = (interval: Duration.Duration): Effect.Effect<(line: Effect.Effect<void>) => Effect.Effect<void>> =>
  Effect.map(Effect.clock, (clock) => {
    let loggedAt = Number.NEGATIVE_INFINITY
    return (line) =>
      Effect.suspend(() => {
        const now = Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)
        if (now - loggedAt < Duration.toMillis(interval)) return Effect.void
        loggedAt = now
        return line
      })
  })
