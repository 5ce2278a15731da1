import { Deferred, Effect } from "effect"

/** A FIFO lock: lets one fiber in at a time, in the order in which they came. */
export interface FifoLock {
  /** Runs the effect alone. Nobody is locked out by a fiber that is interrupted, whether inside or still waiting. */
  readonly alone: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether nobody is inside. */
  readonly isFree: () => boolean
}

/** A lock that nobody holds. */
export const make = (): FifoLock => {
  let held = false
  // Each is let in by whoever goes out: the lock is handed over, never free in between. A semaphore would have its
  // waiters take the permit themselves, and one that is interrupted right then keeps it.
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
              // Who is not waiting any more was let in already, and passes it on.
              () => Effect.suspend(() => waiting.delete(turn) ? Effect.void : leave)
            )
          })
          return Effect.zipRight(enter, Effect.ensuring(restore(effect), leave))
        })
      )
  }
}
