import { Clock, Duration, Effect } from "effect"

/** Makes a function that logs a line, unless it has logged another one within the interval. */
export const make = (interval: Duration.Duration): Effect.Effect<(line: Effect.Effect<void>) => Effect.Effect<void>> =>
  Effect.sync(() => {
    let nextAt = 0
    return (line) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now < nextAt) return Effect.void
        nextAt = now + Duration.toMillis(interval)
        return line
      })
  })
