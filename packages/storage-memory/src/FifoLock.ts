import { Deferred, Effect } from "effect"

/** A FIFO lock: one fiber at a time holds it, in the order of their requests. */
export interface FifoLock {
  /**
   * Runs the effect while holding the lock. Interrupting a fiber that holds or awaits the lock does not block others.
   */
  readonly alone: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Returns whether no fiber holds the lock. */
  readonly isFree: () => boolean
}

/** Makes a free lock. */
export const make = (): FifoLock => {
  let held = false
  // A fiber that releases the lock hands it directly to the next one. With Effect's semaphore, waiters take the permit
  // themselves, and a waiter that is interrupted at that moment never returns it.
  const waiting = new Set<Deferred.Deferred<void>>()

  const leave = Effect.sync(() => {
    const [next] = waiting
    if (next === undefined) {
      held = false
    } else {
      waiting.delete(next)
      Deferred.unsafeDone(next, Effect.void)
    }
  })

  return {
    isFree: () => !held,
    alone: (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.fiberIdWith((fiberId) => {
          const enter = Effect.suspend(() => {
            if (!held) {
              held = true
              return Effect.void
            }
            const turn = Deferred.unsafeMake<void>(fiberId)
            waiting.add(turn)
            return Effect.onInterrupt(
              restore(Deferred.await(turn)),
              // A fiber that is no longer waiting already has the lock, so it releases it.
              () => Effect.suspend(() => waiting.delete(turn) ? Effect.void : leave)
            )
          })
          return Effect.zipRight(enter, Effect.ensuring(restore(effect), leave))
        })
      )
  }
}
