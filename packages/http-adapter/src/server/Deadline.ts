import { type Clock, Duration, Effect, Runtime, type Scope } from "effect"

/** What is done when work takes too long. */
type OnExpiry = () => void

interface Work {
  readonly expiresAt: number
  readonly onExpiry: OnExpiry
}

/** Does the work; when it is not done in time, calls what is to be done then. The work goes on unless that stops it. */
export type WithDeadline = <A, E, R>(work: Effect.Effect<A, E, R>, onExpiry: OnExpiry) => Effect.Effect<A, E, R>

/**
 * A deadline for all work of one kind, infinity for none. Since all take equally long, work expires in the order in which it
 * began: one fiber sleeps until the first does, and no work has a timer of its own.
 */
export const make = (duration: Duration.Duration): Effect.Effect<WithDeadline, never, Scope.Scope> =>
  Effect.gen(function*() {
    if (!Duration.isFinite(duration)) return (work) => work
    const scope = yield* Effect.scope
    const fork = Runtime.runFork(yield* Effect.runtime())
    const millis = Duration.toMillis(duration)
    const inProgress = new Set<Work>()
    let isWatched = false

    const watch: Effect.Effect<void> = Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      for (const work of inProgress) {
        if (work.expiresAt > now) return Effect.zipRight(Effect.sleep(work.expiresAt - now), watch)
        inProgress.delete(work)
        fork(Effect.sync(work.onExpiry))
      }
      isWatched = false
      return Effect.void
    })

    const begin = (clock: Clock.Clock, onExpiry: OnExpiry): Work => {
      const work = { expiresAt: clock.unsafeCurrentTimeMillis() + millis, onExpiry }
      inProgress.add(work)
      if (!isWatched) {
        isWatched = true
        fork(Effect.zipRight(Effect.sleep(duration), watch), { scope })
      }
      return work
    }

    return (work, onExpiry) =>
      Effect.clockWith((clock) => {
        const begun = begin(clock, onExpiry)
        return Effect.ensuring(work, Effect.sync(() => inProgress.delete(begun)))
      })
  })
