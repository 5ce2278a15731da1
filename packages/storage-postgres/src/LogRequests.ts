import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Deferred, Effect } from "effect"

/** How often the work may fail before a waiting request fails: a lost connection is opened again in between. */
const MAX_FAILURES = 5

/** The minimum time between two starts of the work if no request waits, in milliseconds. */
const PAUSE_MILLIS = 10

interface Waiter {
  readonly answered: Deferred.Deferred<void, StorageError>
  failures: number
}

/**
 * Requests to move committed entries to the logs, for the one fiber that moves them. Requests that come in the meantime
 * share the next run.
 */
export class LogRequests {
  readonly #waiters: Array<Waiter> = []
  #isAsked = false
  #onAsked = () => {}
  /** When work last began, in milliseconds of `performance.now`. */
  #begun = 0

  /** Requests the work, and does not wait. */
  ask(): void {
    this.#isAsked = true
    this.#onAsked()
  }

  /** Requests the work, and waits for a run that begins later. */
  readonly wait: Effect.Effect<void, StorageError> = Effect.flatMap(Deferred.make<void, StorageError>(), (answered) => {
    this.#waiters.push({ answered, failures: 0 })
    this.ask()
    return Deferred.await(answered)
  })

  /**
   * Waits for a request, at most `millis` milliseconds. If no request waits for the result, the work begins after a pause,
   * so that it runs once for many requests.
   */
  next(millis?: number): Effect.Effect<void> {
    return Effect.async((resume) => {
      let timer = millis === undefined ? undefined : setTimeout(() => proceed(), millis)
      let isPausing = false
      const stop = () => {
        clearTimeout(timer)
        this.#onAsked = () => {}
      }
      const proceed = () => {
        stop()
        resume(Effect.void)
      }
      this.#onAsked = () => {
        const pause = this.#waiters.length > 0 ? 0 : this.#begun + PAUSE_MILLIS - performance.now()
        if (pause <= 0) return proceed()
        if (isPausing) return
        isPausing = true
        clearTimeout(timer)
        timer = setTimeout(proceed, pause)
      }
      if (this.#isAsked) this.#onAsked()
      return Effect.sync(stop)
    })
  }

  /** Does the work, and completes all requests that wait when it begins. If it fails, they wait until `refuse` is called. */
  answer(work: Effect.Effect<void, StorageError>): Effect.Effect<void, StorageError> {
    return Effect.suspend(() => {
      const count = this.#begin()
      return Effect.tap(
        work,
        () =>
          Effect.forEach(this.#waiters.splice(0, count), ({ answered }) => Deferred.succeed(answered, undefined), {
            discard: true
          })
      )
    })
  }

  /** The work has failed: fails the requests for which it has failed too often. */
  refuse(error: StorageError): Effect.Effect<void> {
    return Effect.suspend(() =>
      Effect.forEach(this.#waiters.splice(0, this.#begin()), (waiter) => {
        waiter.failures += 1
        if (waiter.failures >= MAX_FAILURES) return Deferred.fail(waiter.answered, error)
        this.#waiters.push(waiter)
        return Effect.void
      }, { discard: true })
    )
  }

  /** Returns the number of requests that wait now. */
  #begin(): number {
    this.#isAsked = false
    this.#begun = performance.now()
    return this.#waiters.length
  }
}
