import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Deferred, Effect, Exit } from "effect"

/** How often work may fail for somebody who waits: a lost connection is opened again in between. */
const MAX_FAILURES = 5

/** The least time between two beginnings of work for which nobody waits, in milliseconds. */
const PAUSE_MILLIS = 10

interface Waiter {
  readonly answered: Deferred.Deferred<void, StorageError>
  failures: number
}

/**
 * Requests to move what is committed to the logs, for the one fiber that does so. Those that come meanwhile are answered
 * together.
 */
export class LogRequests {
  #waiters: Array<Waiter> = []
  #isAsked = false
  #onAsked = () => {}
  /** When work last began, in milliseconds of `performance.now`. */
  #begun = 0

  /** Asks, and waits for nothing. */
  ask(): void {
    this.#isAsked = true
    this.#onAsked()
  }

  /** Asks, and waits for the answer of work that begins later. */
  readonly wait: Effect.Effect<void, StorageError> = Effect.flatMap(Deferred.make<void, StorageError>(), (answered) => {
    this.#waiters.push({ answered, failures: 0 })
    this.ask()
    return Deferred.await(answered)
  })

  /**
   * Waits until somebody asks, at most for so many milliseconds. If nobody waits for the answer, the work begins after a
   * pause, so that it is done once for many.
   */
  next(millis?: number): Effect.Effect<void> {
    return Effect.async((resume) => {
      let timer = millis === undefined ? undefined : setTimeout(() => goOn(), millis)
      let isPausing = false
      const stop = () => {
        clearTimeout(timer)
        this.#onAsked = () => {}
      }
      const goOn = () => {
        stop()
        resume(Effect.void)
      }
      this.#onAsked = () => {
        const pause = this.#waiters.length > 0 ? 0 : this.#begun + PAUSE_MILLIS - performance.now()
        if (pause <= 0) return goOn()
        if (isPausing) return
        isPausing = true
        clearTimeout(timer)
        timer = setTimeout(goOn, pause)
      }
      if (this.#isAsked) this.#onAsked()
      return Effect.sync(stop)
    })
  }

  /** Does the work, and tells all who wait when it begins. If it fails, they wait on, until `refuse` is called. */
  answer(work: Effect.Effect<void, StorageError>): Effect.Effect<void, StorageError> {
    return Effect.suspend(() => {
      const waiters = this.#take()
      return Effect.onExit(work, (exit) => {
        if (Exit.isSuccess(exit)) {
          return Effect.forEach(waiters, ({ answered }) => Deferred.succeed(answered, undefined), { discard: true })
        }
        this.#waiters = [...waiters, ...this.#waiters]
        return Effect.void
      })
    })
  }

  /** Work has failed: fails those for whom it has failed too often. */
  refuse(error: StorageError): Effect.Effect<void> {
    return Effect.suspend(() =>
      Effect.forEach(this.#take(), (waiter) => {
        waiter.failures += 1
        if (waiter.failures >= MAX_FAILURES) return Deferred.fail(waiter.answered, error)
        this.#waiters.push(waiter)
        return Effect.void
      }, { discard: true })
    )
  }

  #take(): ReadonlyArray<Waiter> {
    const taken = this.#waiters
    this.#waiters = []
    this.#isAsked = false
    this.#begun = performance.now()
    return taken
  }
}
