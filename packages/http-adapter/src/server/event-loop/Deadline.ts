import { Duration, Effect, Runtime, type Scope } from "effect"

/** Runs when work takes too long. */
type OnExpiry = () => void

/** The deadline for the work on one request. */
export interface Deadline {
  /**
   * Starts the deadline, or restarts it. Calls `onExpiry` if the work does not end in time; the work continues unless
   * `onExpiry` stops it.
   */
  readonly begin: (onExpiry: OnExpiry) => void
  /** Stops the deadline, if it is running. */
  readonly end: () => void
}

const DO_NOTHING: OnExpiry = () => {}

/** Work in progress: an entry of a doubly linked list, ordered by start. */
class Work {
  readonly expiresAt: number
  #onExpiry: OnExpiry
  #previous: Work = this
  #next: Work = this

  constructor(expiresAt: number, onExpiry: OnExpiry) {
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

  /** Clears all references, so that no object of a request outlives it, which would cost the garbage collector time. */
  remove(): void {
    this.#previous.#next = this.#next
    this.#next.#previous = this.#previous
    this.#previous = this
    this.#next = this
    this.#onExpiry = DO_NOTHING
  }

  /** Removes the work, and returns its `onExpiry`. */
  expire(): OnExpiry {
    const onExpiry = this.#onExpiry
    this.remove()
    return onExpiry
  }
}

/**
 * Makes deadlines of this duration; an infinite one never expires. Work expires in the order in which it began, so one
 * fiber sleeps until the first expiry, and no work has its own timer.
 */
export const make = (duration: Duration.Duration): Effect.Effect<() => Deadline, never, Scope.Scope> =>
  Effect.gen(function*() {
    if (!Duration.isFinite(duration)) return () => ({ begin: DO_NOTHING, end: DO_NOTHING })
    const scope = yield* Effect.scope
    const clock = yield* Effect.clock
    const fork = Runtime.runFork(yield* Effect.runtime())
    const millis = Duration.toMillis(duration)
    const last = new Work(Number.POSITIVE_INFINITY, DO_NOTHING)
    let isWatched = false
    // Monotonic time, so that no work expires when the wall clock is set.
    const origin = clock.unsafeCurrentTimeNanos()
    const currentMillis = () => Number(clock.unsafeCurrentTimeNanos() - origin) / 1_000_000

    const watch: Effect.Effect<void> = Effect.suspend(() => {
      const now = currentMillis()
      // Each in a fiber of its own, so that one that throws does not end the watch.
      while (last.next.expiresAt <= now) fork(Effect.sync(last.next.expire()))
      if (last.next !== last) return Effect.zipRight(Effect.sleep(Math.ceil(last.next.expiresAt - now)), watch)
      isWatched = false
      return Effect.void
    })

    const begin = (onExpiry: OnExpiry): Work => {
      const work = new Work(currentMillis() + millis, onExpiry)
      work.insertBefore(last)
      if (!isWatched) {
        isWatched = true
        fork(Effect.zipRight(Effect.sleep(duration), watch), { scope })
      }
      return work
    }

    return (): Deadline => {
      let work: Work | undefined
      return {
        begin: (onExpiry) => {
          work?.remove()
          work = begin(onExpiry)
        },
        end: () => {
          work?.remove()
          work = undefined
        }
      }
    }
  })
