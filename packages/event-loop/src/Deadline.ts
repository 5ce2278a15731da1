import { Duration, Effect, Runtime, type Scope } from "effect"

/** The deadline of some work, such as a request. */
export interface Deadline {
  /** Starts the deadline, or restarts it. */
  readonly begin: () => void
  /** Stops the deadline, if it is running. */
  readonly end: () => void
}

/** Makes a deadline that calls `onExpiry` if the work does not end in time. The work continues unless `onExpiry` stops it. */
export type Deadlines = (onExpiry: () => void) => Deadline

const DO_NOTHING = (): void => {}

/** Work: while its deadline is running, an entry of a doubly linked list in the order in which it began. */
class Work {
  readonly onExpiry: () => void
  expiresAt = Number.POSITIVE_INFINITY
  #previous: Work = this
  #next: Work = this

  constructor(onExpiry: () => void) {
    this.onExpiry = onExpiry
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

  /** Clears its references to other work, so that they do not outlive it, which would cost the garbage collector time. */
  remove(): void {
    this.#previous.#next = this.#next
    this.#next.#previous = this.#previous
    this.#previous = this
    this.#next = this
  }
}

/**
 * Makes deadlines of this duration; an infinite one never expires. Work expires in the order in which it began, so one
 * fiber sleeps until the first expiry, and no work has its own timer.
 */
export const make = (duration: Duration.Duration): Effect.Effect<Deadlines, never, Scope.Scope> =>
  Effect.gen(function*() {
    if (!Duration.isFinite(duration)) return (): Deadline => ({ begin: DO_NOTHING, end: DO_NOTHING })
    const scope = yield* Effect.scope
    const clock = yield* Effect.clock
    const fork = Runtime.runFork(yield* Effect.runtime())
    const millis = Duration.toMillis(duration)
    const last = new Work(DO_NOTHING)
    let isWatched = false
    // Monotonic time, so that no work expires when the wall clock is set.
    const origin = clock.unsafeCurrentTimeNanos()
    const currentMillis = () => Number(clock.unsafeCurrentTimeNanos() - origin) / 1_000_000

    const watch: Effect.Effect<void> = Effect.suspend(() => {
      const now = currentMillis()
      for (let work = last.next; work.expiresAt <= now; work = last.next) {
        work.remove()
        // In a fiber of its own, so that one that throws does not end the watch.
        fork(Effect.sync(work.onExpiry))
      }
      if (last.next !== last) return Effect.zipRight(Effect.sleep(Math.ceil(last.next.expiresAt - now)), watch)
      isWatched = false
      return Effect.void
    })

    return (onExpiry: () => void): Deadline => {
      const work = new Work(onExpiry)
      return {
        begin: () => {
          work.remove()
          work.expiresAt = currentMillis() + millis
          work.insertBefore(last)
          if (isWatched) return
          isWatched = true
          fork(Effect.zipRight(Effect.sleep(duration), watch), { scope })
        },
        end: () => work.remove()
      }
    }
  })
