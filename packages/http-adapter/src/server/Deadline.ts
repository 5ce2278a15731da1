import { Duration, Effect, Runtime, type Scope } from "effect"

/** What is done when work takes too long. */
type OnExpiry = () => void

/** Does the work; when it is not done in time, calls what is to be done then. The work goes on unless that stops it. */
export type WithDeadline = <A, E, R>(work: Effect.Effect<A, E, R>, onExpiry: OnExpiry) => Effect.Effect<A, E, R>

/** Work in progress, in a ring in the order in which it began. */
class Work {
  readonly expiresAt: number
  #onExpiry: OnExpiry | undefined
  #previous: Work = this
  #next: Work = this

  constructor(expiresAt: number, onExpiry?: OnExpiry) {
    this.expiresAt = expiresAt
    this.#onExpiry = onExpiry
  }

  get next(): Work {
    return this.#next
  }

  insertBefore(successor: Work): void {
    this.#previous = successor.#previous
    this.#next = successor
    this.#previous.#next = this
    successor.#previous = this
  }

  /** Lets go of everything, so that nothing of a request outlives it: the collector would have to copy it. */
  remove(): void {
    this.#previous.#next = this.#next
    this.#next.#previous = this.#previous
    this.#previous = this
    this.#next = this
    this.#onExpiry = undefined
  }

  expire(): void {
    this.#onExpiry?.()
    this.remove()
  }
}

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
    const end = new Work(Number.POSITIVE_INFINITY)
    let isWatched = false

    const watch: Effect.Effect<void> = Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      while (end.next.expiresAt <= now) end.next.expire()
      if (end.next !== end) return Effect.zipRight(Effect.sleep(end.next.expiresAt - now), watch)
      isWatched = false
      return Effect.void
    })

    return (work, onExpiry) =>
      Effect.clockWith((clock) => {
        const begun = new Work(clock.unsafeCurrentTimeMillis() + millis, onExpiry)
        begun.insertBefore(end)
        if (!isWatched) {
          isWatched = true
          fork(Effect.zipRight(Effect.sleep(duration), watch), { scope })
        }
        return Effect.onExit(work, () => {
          begun.remove()
          return Effect.void
        })
      })
  })
