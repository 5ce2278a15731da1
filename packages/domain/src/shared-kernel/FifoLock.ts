import { Effect } from "effect"

/** Restores the interruptibility of the caller inside an uninterruptible region. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Waiter {
  granted: boolean
  grant: () => void
}

/**
 * A FIFO lock, for work that runs one after another, such as units of work and slices of long work; with several places, for
 * work of which a few pieces run at once. Effect's semaphore wakes all waiters, and a later one, or the last holder, may come
 * first; a fiber that yields right after it took a permit, and is interrupted there, never returns it. This lock is handed to
 * the first waiter, and at once. If that one is interrupted then, it passes the lock on.
 */
export class FifoLock {
  #free: number
  readonly #waiters: Array<Waiter> = []

  constructor(places = 1) {
    this.#free = places
  }

  /** Whether all places are taken. While a lock of one place is not held, a synchronous change needs no lock. */
  get isHeld(): boolean {
    return this.#free === 0
  }

  /** Whether a fiber waits for the lock. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  /**
   * Takes the lock. Must run in an uninterruptible region; only the waiting is interruptible. If the waiter is
   * interrupted after the lock was granted, `passOn` is called, by default `release`.
   */
  acquire(restore: Restore, passOn = () => this.release()): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#free > 0) {
        this.#free -= 1
        return Effect.void
      }
      const waiter: Waiter = { granted: false, grant: () => {} }
      const granted = Effect.async<void>((resume) => {
        waiter.grant = () => {
          waiter.granted = true
          resume(Effect.void)
        }
        this.#waiters.push(waiter)
      })
      const leave = Effect.sync(() => {
        if (waiter.granted) return passOn()
        const place = this.#waiters.indexOf(waiter)
        if (place >= 0) this.#waiters.splice(place, 1)
      })
      // Like `onError`, but without another uninterruptible region.
      return Effect.matchCauseEffect(restore(granted), {
        onFailure: (cause) => Effect.zipRight(leave, Effect.failCause(cause)),
        onSuccess: () => Effect.void
      })
    })
  }

  /** Releases the lock, or hands it to the next waiter. */
  release(): void {
    const next = this.#waiters.shift()
    if (next === undefined) this.#free += 1
    else next.grant()
  }

  /** Runs the effect when its turn comes, and holds the lock until it ends. */
  inTurn<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(this.acquire(restore), Effect.ensuring(restore(effect), Effect.sync(() => this.release())))
    )
  }
}
