import type { SqlConnection, SqlError } from "@effect/sql"
import { Effect, Option, Stream } from "effect"
import { mayHaveRolledBack } from "./SqliteFailure.ts"

/** What all parts of one transaction share. */
export interface TransactionState {
  /** Why nothing of the transaction can be kept any more: SQLite may have undone it already. */
  failure: Option.Option<SqlError.SqlError>
}

/** What the statements of a transaction, or of a part of it, share. */
export interface UnitState {
  readonly transaction: TransactionState
  /** Held by a running statement, and by a part that fails alone as long as it runs. */
  readonly lock: Effect.Semaphore
  ended: boolean
}

/** Runs a step of the transaction, unless an earlier failure has ended it. */
export const step = <A>(
  transaction: TransactionState,
  effect: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() =>
    Option.isSome(transaction.failure)
      ? Effect.fail(transaction.failure.value)
      : Effect.tapError(effect, (error) =>
        Effect.sync(() => {
          if (mayHaveRolledBack(error)) transaction.failure = Option.some(error)
        }))
  )

/**
 * The connection as statements inside a unit see it: they wait while a part of the unit runs that they do not belong to,
 * and never go on in the middle of a transaction that SQLite has undone. A fiber that outlives the unit goes on outside.
 */
export class GuardedConnection implements SqlConnection.Connection {
  readonly #raw: SqlConnection.Connection
  readonly #unit: UnitState
  readonly #outside: SqlConnection.Connection.Acquirer

  constructor(raw: SqlConnection.Connection, unit: UnitState, outside: SqlConnection.Connection.Acquirer) {
    this.#raw = raw
    this.#unit = unit
    this.#outside = outside
  }

  readonly execute: SqlConnection.Connection["execute"] = (...request) => this.#run((raw) => raw.execute(...request))

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (...request) =>
    this.#run((raw) => raw.executeRaw(...request))

  readonly executeStream: SqlConnection.Connection["executeStream"] = (...request) =>
    Stream.suspend(() => this.#raw.executeStream(...request))

  readonly executeValues: SqlConnection.Connection["executeValues"] = (...request) =>
    this.#run((raw) => raw.executeValues(...request))

  readonly executeUnprepared: SqlConnection.Connection["executeUnprepared"] = (...request) =>
    this.#run((raw) => raw.executeUnprepared(...request))

  #run<A>(
    use: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>
  ): Effect.Effect<A, SqlError.SqlError> {
    return this.#unit.lock.withPermits(1)(Effect.suspend(() =>
      this.#unit.ended
        ? Effect.scoped(Effect.flatMap(this.#outside, use))
        : step(this.#unit.transaction, use(this.#raw))
    ))
  }
}
