import { Clock, Duration, Effect } from "effect"

/** Makes what lets a line of the log pass unless another one has passed shortly before. */
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
