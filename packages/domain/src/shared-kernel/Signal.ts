import { Effect, Queue, type Scope } from "effect"

/**
 * A signal without a value to any number of subscribers. Those that a subscriber has not taken yet merge into one. Effect's
 * `PubSub` with room for one loses signals: a subscriber that is two behind takes two, and then another one gets none.
 */
export class Signal {
  /** Makes a signal that is closed with the scope, such as that of a storage. */
  static readonly make: Effect.Effect<Signal, never, Scope.Scope> = Effect.acquireRelease(
    Effect.sync(() => new Signal()),
    (signal) => signal.#close
  )

  readonly #subscribers = new Set<Queue.Queue<void>>()
  #isClosed = false

  /** Signals to all subscribers. */
  send(): void {
    for (const subscriber of this.#subscribers) Queue.unsafeOffer(subscriber, undefined)
  }

  /** Subscribes until the scope closes. If the signal is closed, what waits for it is interrupted, now or later. */
  readonly subscribe: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope> = Effect.acquireRelease(
    Effect.tap(Queue.dropping<void>(1), (subscriber) => {
      // In one step: the end of the signal finds the subscriber, or the subscriber finds that it has ended.
      if (this.#isClosed) return Effect.interrupt
      this.#subscribers.add(subscriber)
      return Effect.void
    }),
    (subscriber) =>
      Effect.suspend(() => {
        this.#subscribers.delete(subscriber)
        return Queue.shutdown(subscriber)
      })
  )

  readonly #close: Effect.Effect<void> = Effect.suspend(() => {
    this.#isClosed = true
    return Effect.forEach(this.#subscribers, Queue.shutdown, { discard: true })
  })
}
