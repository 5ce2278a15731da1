import type { SqlConnection, SqlError } from "@effect/sql"
import { Cause, Effect, Exit, Option, Stream } from "effect"
import { Mutex } from "./Mutex.ts"
import { mayHaveRolledBack } from "./SqliteFailure.ts"

/** A statement with its parameters, as the driver takes it. */
export type Request = readonly [text: string, parameters: ReadonlyArray<unknown>]

/** Something that was done in a transaction: how to do it again, and the answer that it had. */
export interface Done {
  readonly repeat: () => Exit.Exit<unknown, SqlError.SqlError>
  readonly answer: unknown
}

/** What all parts of one transaction share. */
export interface TransactionState {
  /** Why nothing of the transaction can be kept any more: SQLite may have undone it already. */
  failure: Option.Option<SqlError.SqlError>
  /** Held while the transaction is exchanged for another one: statements wait. */
  readonly exchange: Mutex
  /** What was done so far and may have to be done again in another transaction; none where it never has. */
  done: Array<Done> | undefined
}

/** What the statements of a transaction, or of a part of it, share. */
export interface UnitState {
  readonly transaction: TransactionState
  /** Held by a part that fails alone as long as it runs, and by what can not be told to run in one go. */
  readonly lock: Mutex
  ended: boolean
}

/** A transaction that has just begun. */
export const freshTransaction = (): TransactionState => ({
  failure: Option.none(),
  exchange: new Mutex(),
  done: undefined
})

/** Runs a statement in one go: the driver is synchronous, so that nothing else comes in between. */
export const perform = (
  raw: SqlConnection.Connection,
  [text, parameters]: Request
): Exit.Exit<ReadonlyArray<unknown>, SqlError.SqlError> => Effect.runSyncExit(raw.execute(text, parameters, undefined))

const noteOutcome = <A>(
  transaction: TransactionState,
  repeat: Done["repeat"],
  outcome: Exit.Exit<A, SqlError.SqlError>
) => {
  if (Exit.isSuccess(outcome)) transaction.done?.push({ repeat, answer: outcome.value })
  else {
    const error = Cause.failureOption(outcome.cause)
    if (Option.exists(error, mayHaveRolledBack)) transaction.failure = error
  }
}

/** Runs a step of the transaction, unless an earlier failure has ended it. */
export const step = (
  raw: SqlConnection.Connection,
  transaction: TransactionState,
  request: Request
): Exit.Exit<ReadonlyArray<unknown>, SqlError.SqlError> => {
  if (Option.isSome(transaction.failure)) return Exit.fail(transaction.failure.value)
  const outcome = perform(raw, request)
  noteOutcome(transaction, () => perform(raw, request), outcome)
  return outcome
}

/** Goes on at once, or when the mutex is free again. */
const whenReleased = <A, E, R>(mutex: Mutex, goOn: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  mutex.isHeld
    ? Effect.zipRight(mutex.exclusively(Effect.void), Effect.suspend(() => whenReleased(mutex, goOn)))
    : goOn()

/** Goes on at once, or when the transaction has been exchanged. */
export const whenExchanged = <A, E, R>(
  { exchange }: TransactionState,
  goOn: () => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => whenReleased(exchange, goOn)

/** Goes on at once, or when nothing holds the unit's own statements up any more. */
export const whenFree = <A, E, R>(unit: UnitState, goOn: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  whenReleased(unit.lock, () => whenExchanged(unit.transaction, () => unit.lock.isHeld ? whenFree(unit, goOn) : goOn()))

/**
 * The connection as statements of others inside a unit see it: they wait while a part of the unit runs that they do not
 * belong to, and never go on in the middle of a transaction that SQLite has undone. A fiber that outlives the unit goes on
 * outside.
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
    const { lock, transaction } = this.#unit
    return lock.exclusively(transaction.exchange.exclusively(Effect.suspend(() => {
      if (this.#unit.ended) return Effect.scoped(Effect.flatMap(this.#outside, use))
      if (Option.isSome(transaction.failure)) return Effect.fail(transaction.failure.value)
      return Effect.onExit(
        use(this.#raw),
        (exit) => Effect.sync(() => noteOutcome(transaction, () => Effect.runSyncExit(use(this.#raw)), exit))
      )
    })))
  }
}
