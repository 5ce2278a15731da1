import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Deferred, Effect, Exit } from "effect"

/** How often work may fail for somebody who waits: a lost connection is opened again in between. */
const MAX_FAILURES = 5

interface Waiter {
  readonly answered: Deferred.Deferred<void, StorageError>
  failures: number
}

/** Requests to keep the logs, for the one fiber that does so. Those that come while it works are answered together. */
export class LogRequests {
  #waiters: Array<Waiter> = []
  #isAsked = false
  #onAsked = () => {}

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

  /** Waits until somebody asks, at most for so many milliseconds. */
  next(millis?: number): Effect.Effect<void> {
    return Effect.async((resume) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const stop = () => {
        clearTimeout(timer)
        this.#onAsked = () => {}
      }
      const goOn = () => {
        stop()
        resume(Effect.void)
      }
      if (this.#isAsked) return goOn()
      this.#onAsked = goOn
      if (millis !== undefined) timer = setTimeout(goOn, millis)
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
    return taken
  }
}
