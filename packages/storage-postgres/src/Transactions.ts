import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { traced } from "@community-messaging/domain/shared-kernel/Traced"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { type Run, type Storage, Unit } from "@community-messaging/storage-sql/Units"
import { Effect, Exit, Random } from "effect"
import type { ConnectionPool } from "./ConnectionPool.ts"
import * as GroupCommit from "./GroupCommit.ts"
import { bounded, type Outcome, rollBack, runningIn, statementsOf, type Transaction } from "./RunningUnit.ts"

/** The maximum number of runs of a unit of work that fails because of concurrent ones. */
const MAX_RUNS = 6

/** The maximum wait before the second run, in milliseconds. It doubles with each run. */
const RETRY_MILLIS = 8

/** Begins a snapshot, which may be idle for longer than a unit of work that writes, because it blocks no other. */
export const BEGIN_SNAPSHOT =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout TO '10min'"

/** How long a snapshot may send no statement, in milliseconds. */
const SNAPSHOT_IDLE_MILLIS = 5 * 60_000

const inSpan = traced("postgres.transaction", { kind: "client" })

/** Reads on one snapshot of the storage, in a separate transaction, which may be idle while a consumer takes the result. */
const snapshotOnce = (pool: ConnectionPool) =>
<A, E, R>(
  restore: Restore,
  body: (unit: Unit) => Effect.Effect<A, E, R>
): Effect.Effect<Outcome<A, E>, never, R> =>
  Effect.matchCauseEffect(pool.acquire(restore), {
    onFailure: (cause) => Effect.succeed(Exit.failCause(cause)),
    onSuccess: (connection) => {
      connection.begin(BEGIN_SNAPSHOT)
      const transaction: Transaction = { connection, conflict: undefined }
      const running = runningIn(transaction)
      const run = statementsOf(running)
      const unit = new Unit({
        run,
        send: run,
        fail: (failure) => {
          running.failure = failure
        }
      })
      return Effect.exit(bounded(restore, body(unit), running, SNAPSHOT_IDLE_MILLIS)).pipe(
        Effect.zipLeft(rollBack(transaction)),
        Effect.map((exit): Outcome<A, E> => {
          pool.release(connection)
          const isConflict = transaction.conflict !== undefined && Exit.isFailure(exit) && !Exit.isInterrupted(exit)
          return isConflict ? "conflict" : exit
        })
      )
    }
  })

/** Waits briefly, and longer with each run. */
const pause = (restore: Restore, runs: number): Effect.Effect<void> =>
  Effect.flatMap(
    Random.nextRange(0, RETRY_MILLIS * 2 ** (runs - 1)),
    (millis) => Effect.withClock(restore(Effect.sleep(millis)), realTime)
  )

/** Runs a unit of work until it is committed, or fails by itself. */
const untilDone = <A, E, R>(
  runOnce: (restore: Restore, isAlone: boolean) => Effect.Effect<GroupCommit.Outcome<A, E>, never, R>
): Effect.Effect<A, E | StorageError, R> =>
  inSpan(Effect.uninterruptibleMask((restore) => {
    const attempt = (runs: number, isAlone: boolean): Effect.Effect<A, E | StorageError, R> =>
      Effect.flatMap(runOnce(restore, isAlone), (outcome): Effect.Effect<A, E | StorageError, R> => {
        if (outcome === "again") return attempt(runs, true)
        if (outcome !== "conflict") return outcome
        if (runs >= MAX_RUNS) {
          return new StorageError({ operation: "run a unit of work: it conflicts with others each time" })
        }
        return Effect.zipRight(pause(restore, runs), Effect.suspend(() => attempt(runs + 1, true)))
      })
    return attempt(1, false)
  }))

/** Makes units of work in transactions that run side by side. */
export const make = (options: GroupCommit.Options): Pick<Storage, "snapshot" | "transact"> => {
  const runOnce = GroupCommit.make(options)
  const readOnce = snapshotOnce(options.pool)
  return {
    transact: (body) => untilDone((restore, isAlone) => runOnce(restore, body, isAlone)),
    snapshot: (body) => untilDone((restore) => readOnce(restore, body))
  }
}

/** Reads committed data, on any connection. */
export const reader = (pool: ConnectionPool): Run => (text, parameters) =>
  Effect.catchTag(
    pool.use((connection) => connection.run(text, parameters)),
    "StorageError",
    ({ cause }) => new SqlFailure({ cause })
  )
