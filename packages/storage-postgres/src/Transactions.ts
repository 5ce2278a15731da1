import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { traced } from "@community-messaging/domain/shared-kernel/Traced"
import * as CommitDuration from "@community-messaging/storage-sql/CommitDuration"
import type { Restore } from "@community-messaging/storage-sql/FifoLock"
import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { type Run, type Storage, Unit } from "@community-messaging/storage-sql/Units"
import { Cause, Clock, Duration, Effect, Exit, Random } from "effect"
import type { Connection } from "./Connection.ts"
import type { ConnectionPool } from "./ConnectionPool.ts"
import { isConnectionLost, isRetryable } from "./PostgresFailure.ts"

/** How often a unit of work is run at most that fails because of those that run beside it. */
const MAX_RUNS = 6

/** The longest wait before the second run, in milliseconds. It doubles with each further run. */
const RETRY_MILLIS = 8

/** The real clock. Waiting for others takes real time, even under a test clock. */
const realTime = Clock.make()

/** A transaction on its connection. */
interface Turn {
  readonly connection: Connection
  /** Why its statements fail from now on: it was idle for too long, or a savepoint could not be rolled back. */
  failure: SqlFailure | undefined
  /** The failure after which the whole unit can be run again. */
  conflict: SqlFailure | undefined
}

/** What becomes of a run of a unit. */
type Outcome<A, E> = Exit.Exit<A, E | StorageError> | "conflict"

/** How a transaction begins, and for how long it may be idle in this process, in milliseconds. */
interface Kind {
  readonly begin: string
  readonly idleMillis: number
  readonly isReadOnly: boolean
}

/** Begins a snapshot, which may be idle for longer than a unit of work that writes: it blocks nobody. */
export const BEGIN_SNAPSHOT =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout TO '10min'"

/** A snapshot waits for those who take what it reads. Deleted rows stay as long as it lasts. */
const SNAPSHOT: Kind = {
  begin: BEGIN_SNAPSHOT,
  idleMillis: 5 * 60_000,
  isReadOnly: true
}

interface Options {
  readonly pool: ConnectionPool
  /** How long a unit of work may ask nothing of the storage before it fails, in milliseconds. */
  readonly idleMillis: number
  /** Is called after a commit of events. */
  readonly wake: () => void
}

const inSpan = traced("postgres.transaction", { kind: "client" })

const unitOf = (turn: Turn): Unit => {
  const run: Run = (text, parameters) =>
    turn.failure === undefined
      ? Effect.tapError(turn.connection.run(text, parameters), (failure) => {
        if (isRetryable(failure)) turn.conflict = failure
        return Effect.void
      })
      : Exit.fail(turn.failure)
  return new Unit({
    run,
    send: (text, parameters) =>
      Effect.suspend(() => {
        if (turn.failure !== undefined || !turn.connection.canSend) return run(text, parameters)
        turn.connection.send(text, parameters)
        return Effect.void
      }),
    fail: (failure) => {
      turn.failure = failure
    }
  })
}

/** Runs the unit, and fails if it asks nothing for too long. */
const bounded = <A, E, R>(
  restore: Restore,
  body: (unit: Unit) => Effect.Effect<A, E, R>,
  { idleMillis, turn, unit }: { readonly idleMillis: number; readonly turn: Turn; readonly unit: Unit }
): Effect.Effect<A, E | StorageError, R> =>
  IdleLimit.run(restore, restore(body(unit)), {
    limitMillis: idleMillis,
    lastActive: () => turn.connection.lastActive,
    expire: () => {
      const cause = new Error(`It sent no statement for ${Duration.format(idleMillis)}.`)
      turn.failure = new SqlFailure({ cause })
      return Exit.fail(storageError("wait for a unit of work", turn.failure))
    }
  })

const rollBack = ({ connection }: Turn): Effect.Effect<unknown> =>
  // A connection that cannot roll back is lost, or is ended when it is released.
  Effect.ignore(connection.end("ROLLBACK"))

/** Commits what the unit wrote. */
const commit = <A>(turn: Turn, value: A): Effect.Effect<Outcome<A, never>> => {
  if (turn.failure !== undefined) {
    return Effect.as(rollBack(turn), Exit.fail(storageError("go on with a transaction", turn.failure)))
  }
  const { isBegun } = turn.connection
  const begun = performance.now()
  return Effect.matchEffect(turn.connection.end("COMMIT"), {
    onFailure: (failure): Effect.Effect<Outcome<A, never>> => {
      if (isRetryable(failure)) return Effect.as(rollBack(turn), "conflict")
      const operation = isConnectionLost(failure)
        ? "commit a transaction: its outcome is unknown"
        : "commit a transaction"
      return Effect.as(rollBack(turn), Exit.fail(storageError(operation, failure)))
    },
    onSuccess: (done): Effect.Effect<Outcome<A, never>> => {
      if (isBegun) CommitDuration.count(performance.now() - begun)
      if (done !== "ROLLBACK") return Effect.succeed(Exit.succeed(value))
      // A statement has failed: one that nobody waited for, or somebody went on as if it had not.
      const failure = turn.conflict ?? turn.connection.failureSent
      if (failure !== undefined && isRetryable(failure)) return Effect.succeed("conflict")
      const operation = "commit a transaction: one of its statements has failed"
      return Effect.succeed(
        Exit.fail(failure === undefined ? new StorageError({ operation }) : storageError(operation, failure))
      )
    }
  })
}

/** Units of work in transactions that run side by side. */
export const make = ({ idleMillis, pool, wake }: Options): Pick<Storage, "snapshot" | "transact"> => {
  CommitDuration.register()

  /** Runs the body once, in a transaction of its own. */
  const runOnce = <A, E, R>(
    restore: Restore,
    kind: Kind,
    body: (unit: Unit) => Effect.Effect<A, E, R>
  ): Effect.Effect<Outcome<A, E>, never, R> =>
    Effect.matchCauseEffect(pool.acquire(restore), {
      onFailure: (cause) => Effect.succeed(Exit.failCause(cause)),
      onSuccess: (connection) => {
        connection.begin(kind.begin)
        const turn: Turn = { connection, failure: undefined, conflict: undefined }
        const unit = unitOf(turn)
        return Effect.matchCauseEffect(bounded(restore, body, { idleMillis: kind.idleMillis, turn, unit }), {
          onFailure: (cause): Effect.Effect<Outcome<A, E>> =>
            Effect.as(
              rollBack(turn),
              turn.conflict !== undefined && !Cause.isInterrupted(cause) ? "conflict" : Exit.failCause(cause)
            ),
          onSuccess: (value) => kind.isReadOnly ? Effect.as(rollBack(turn), Exit.succeed(value)) : commit(turn, value)
        }).pipe(Effect.map((outcome) => {
          pool.release(connection)
          if (outcome !== "conflict" && Exit.isSuccess(outcome) && unit.notifies) wake()
          return outcome
        }))
      }
    })

  const run = <A, E, R>(kind: Kind, body: (unit: Unit) => Effect.Effect<A, E, R>) =>
    inSpan(Effect.uninterruptibleMask((restore) => {
      const attempt = (runs: number): Effect.Effect<A, E | StorageError, R> =>
        Effect.flatMap(runOnce(restore, kind, body), (outcome): Effect.Effect<A, E | StorageError, R> => {
          if (outcome !== "conflict") return outcome
          if (runs >= MAX_RUNS) {
            return new StorageError({ operation: "run a unit of work: others keep getting in its way" })
          }
          return Random.nextRange(0, RETRY_MILLIS * 2 ** (runs - 1)).pipe(
            Effect.flatMap((millis) => Effect.withClock(restore(Effect.sleep(millis)), realTime)),
            Effect.zipRight(Effect.suspend(() => attempt(runs + 1)))
          )
        })
      return attempt(1)
    }))

  return {
    transact: (body) => run({ begin: "BEGIN", idleMillis, isReadOnly: false }, body),
    snapshot: (body) => run(SNAPSHOT, body)
  }
}

/** Reads what is committed, on any connection. */
export const reader = (pool: ConnectionPool): Run => (text, parameters) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.mapError(pool.acquire(restore), (error) => new SqlFailure({ cause: error.cause })),
      (connection) =>
        Effect.ensuring(
          restore(connection.run(text, parameters)),
          Effect.sync(() => pool.release(connection))
        )
    )
  )
