import { Effect } from "effect"

/** Makes an effect interruptible again inside an uninterruptible region, as it was around it. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Waiter {
  granted: boolean
  grant: () => void
}

/**
 * A FIFO lock. It shows whether it is held, so that a statement of a synchronous driver need not queue where it is free. A
 * permit of Effect's semaphore is lost when its taker is interrupted right after the grant; this lock is passed on.
 */
export class FifoLock {
  #held = false
  readonly #waiters: Array<Waiter> = []

  get isHeld(): boolean {
    return this.#held
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  /**
   * Takes the lock, inside an uninterruptible region; only the waiting can be interrupted. A lock that is granted to
   * somebody who was interrupted meanwhile is passed on, by `release` unless told otherwise.
   */
  acquire(restore: Restore, passOn = () => this.release()): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!this.#held) {
        this.#held = true
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
      return Effect.onError(restore(granted), () => leave)
    })
  }

  /** Gives the lock to the next one. */
  release(): void {
    const next = this.#waiters.shift()
    if (next === undefined) this.#held = false
    else next.grant()
  }

  /** Runs the effect while nobody else has the lock. */
  exclusively<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(this.acquire(restore), Effect.ensuring(restore(effect), Effect.sync(() => this.release())))
    )
  }
}
