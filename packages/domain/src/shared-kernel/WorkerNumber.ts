import { Context, Effect, Layer } from "effect"
import type { StorageError } from "./StorageError.ts"

/** The maximum number of workers that may generate snowflakes at the same time. */
export const MAX_WORKERS = 1024

/**
 * Port: the number that makes the ids of this process differ from those of all other processes on the same data, 0 to
 * `MAX_WORKERS` - 1. No two processes have the same number at the same time.
 */
export class WorkerNumber extends Context.Tag("@community-messaging/domain/WorkerNumber")<WorkerNumber, {
  /** Returns the number. Fails while this process has none, for example because it could not renew a lease. */
  readonly current: Effect.Effect<number, StorageError>
  /**
   * Runs the effect now, and each time that this process gets a number again, before that number is current: another process
   * may have generated ids in the meantime. A process does not get a number while the effect fails.
   */
  readonly beforeUse: (prepare: Effect.Effect<void, StorageError>) => Effect.Effect<void, StorageError>
}>() {}

/** A number, 0 to `MAX_WORKERS` - 1, that this process has until it ends. Dies if it is another one. */
export const fixed = (worker: number): Layer.Layer<WorkerNumber> =>
  Number.isInteger(worker) && worker >= 0 && worker < MAX_WORKERS
    ? Layer.succeed(WorkerNumber, { current: Effect.succeed(worker), beforeUse: (prepare) => prepare })
    : Layer.die(new RangeError(`The worker number must be an integer from 0 to ${MAX_WORKERS - 1}, not ${worker}`))
