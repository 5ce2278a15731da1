import type { StorageError } from "@community-messaging/domain/StorageError"
import { SqlClient, type SqlConnection, type SqlError } from "@effect/sql"
import { Context, Duration, Effect, Exit, FiberRef, identity, Option, Schedule, Scope } from "effect"
import { patience, realTime } from "./ConnectionSettings.ts"
import { GuardedConnection, step, type TransactionState, type UnitState } from "./GuardedConnection.ts"
import { attempt, isBusy, storageError } from "./SqliteFailure.ts"

/** Transactions on the one connection of a database. Whoever has the connection has it alone. */
export interface Transactions {
  /** The connection for statements: the running unit's, or else the free one for as long as the scope is open. */
  readonly connection: SqlConnection.Connection.Acquirer
  /** Runs the effect in a writing transaction, or where one is running in a part of it that fails alone. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Runs a single statement that writes in the running transaction, or in one of its own. */
  readonly write: <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Runs reads that all see the same state. */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Runs the effect right after the running transaction has committed, or at once where none is running. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** A transaction, a part of it that fails alone, or the time right after it while the connection is still held. */
interface Unit {
  /** 0: the connection is held without a transaction; 1: a transaction; more: a part of one. */
  readonly depth: number
  readonly raw: SqlConnection.Connection
  readonly state: UnitState
  /** The connection for the statements inside. */
  readonly guarded: GuardedConnection
  readonly followers: Array<Effect.Effect<void>>
}

/** A connection that nobody else has until it is released. */
interface Held {
  readonly raw: SqlConnection.Connection
  readonly release: Effect.Effect<void>
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const execute = (raw: SqlConnection.Connection, statement: string): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(raw.execute(statement, [], undefined))

/**
 * SQLite obeys this pragma when it prepares it: so it must not come out of the cache of prepared statements, and not be
 * prepared, as the driver does, before its turn.
 */
const setBusyTimeout = (raw: SqlConnection.Connection, timeout: Duration.Duration) => {
  const statement = `PRAGMA busy_timeout = ${Duration.toMillis(timeout)}`
  return Effect.orDie(Effect.suspend(() => raw.executeUnprepared(statement, [], undefined)))
}

/** Begins, or fails at once: SQLite's own waiting stops the process, in which the lock's holder may be running. */
const begin = (raw: SqlConnection.Connection, statement: string, lockTimeout: Duration.Duration) =>
  setBusyTimeout(raw, Duration.zero).pipe(
    Effect.zipRight(execute(raw, statement)),
    Effect.ensuring(setBusyTimeout(raw, lockTimeout))
  )

/** Undoes the transaction, unless SQLite has done so by itself. */
const rollback = (raw: SqlConnection.Connection) => Effect.ignore(execute(raw, "ROLLBACK"))

const commit = (raw: SqlConnection.Connection) =>
  attempt("commit a transaction")(Effect.tapError(execute(raw, "COMMIT"), () => rollback(raw)))

/** The transaction is kept already: what goes wrong with a follower undoes neither it nor the other followers. */
const runFollowers = (followers: ReadonlyArray<Effect.Effect<void>>) =>
  Effect.forEach(
    followers,
    Effect.catchAllCause((cause) => Effect.logError("What was to follow a commit failed", cause)),
    { discard: true }
  )

const foreignTransaction = Effect.dieMessage(
  "A port is used inside a transaction of the SQL client's own: use UnitOfWork.atomically for it instead."
)

/**
 * Transactions on the connection that is reserved. `shared`: the client that it comes from has other users, whose
 * statements inside a unit of work belong to it.
 */
export const make = ({ lockTimeout, reserve, shared }: {
  readonly reserve: SqlConnection.Connection.Acquirer
  readonly lockTimeout: Duration.Duration
  readonly shared: boolean
}): Transactions => {
  // Of this database alone: the transaction of another one means nothing here. A joined fiber brings none with it.
  const current = FiberRef.unsafeMake(Option.none<Unit>(), { join: (own) => own })
  const running = Effect.map(FiberRef.get(current), Option.filter((unit) => !unit.state.ended))

  const free = !shared ? reserve : Effect.flatMap(
    Effect.serviceOption(SqlClient.TransactionConnection),
    Option.match({
      onNone: () => reserve,
      onSome: ([connection]) => connection instanceof GuardedConnection ? reserve : foreignTransaction
    })
  )

  const makeUnit = (depth: number, raw: SqlConnection.Connection, transaction: TransactionState): Unit => {
    const state: UnitState = { transaction, lock: Effect.unsafeMakeSemaphore(1), ended: false }
    return { depth, raw, state, guarded: new GuardedConnection(raw, state, free), followers: [] }
  }

  const within = <A, E, R>(unit: Unit, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const inUnit = Effect.locally(body, current, Option.some(unit))
    // The client counts from 0 in a transaction, and takes any number below for none.
    return shared
      ? Effect.mapInputContext(
        inUnit,
        (context: Context.Context<R>) =>
          Context.add(context, SqlClient.TransactionConnection, [unit.guarded, unit.depth - 1])
      )
      : inUnit
  }

  /** Runs the body as the unit and ends it. Parts of it that other fibers are still running are waited for. */
  const run = <A, E, R, B, E2>(
    unit: Unit,
    body: Effect.Effect<A, E, R>,
    end: (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2>
  ): Effect.Effect<B, E2, R> =>
    Effect.flatMap(Effect.exit(within(unit, body)), (exit) =>
      unit.state.lock.withPermits(1)(Effect.suspend(() => {
        unit.state.ended = true
        return end(exit)
      })))

  const hold = (restore: Restore): Effect.Effect<Held, SqlError.SqlError> =>
    Effect.flatMap(Scope.make(), (scope) =>
      restore(Scope.extend(free, scope)).pipe(
        Effect.map((raw) => ({ raw, release: Scope.close(scope, Exit.void) })),
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      ))

  /** Others may have the connection between two attempts. */
  const begun = (statement: string, holding: Effect.Effect<Held, SqlError.SqlError>, restore: Restore) =>
    Effect.flatMap(Schedule.driver(patience(lockTimeout)), (driver) => {
      const beginning: Effect.Effect<Held, StorageError> = holding.pipe(
        Effect.tap((held) => Effect.onError(begin(held.raw, statement, lockTimeout), () => held.release)),
        Effect.catchAll((error) => {
          const pause: Effect.Effect<unknown, unknown> = isBusy(error)
            ? restore(Effect.withClock(driver.next(error), realTime))
            : Effect.fail(error)
          return Effect.matchEffect(pause, {
            onSuccess: () => beginning,
            onFailure: () => Effect.fail(storageError("begin a transaction", error))
          })
        })
      )
      return beginning
    })

  const follow = (raw: SqlConnection.Connection, followers: ReadonlyArray<Effect.Effect<void>>) =>
    followers.length === 0
      ? Effect.void
      : run(makeUnit(0, raw, { failure: Option.none() }), runFollowers(followers), () => Effect.void)

  const transaction = <A, E, R>(
    statement: string,
    holding: (restore: Restore) => Effect.Effect<Held, SqlError.SqlError>,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(begun(statement, holding(restore), restore), ({ raw, release }) => {
        const state: TransactionState = { failure: Option.none() }
        const unit = makeUnit(1, raw, state)
        const transacted = run(unit, restore(effect), (exit): Effect.Effect<A, E | StorageError> => {
          if (Exit.isFailure(exit)) return Effect.zipRight(rollback(raw), exit)
          return Option.isSome(state.failure)
            ? Effect.zipRight(rollback(raw), storageError("go on with a transaction", state.failure.value))
            : commit(raw).pipe(Effect.zipRight(follow(raw, unit.followers)), Effect.zipRight(exit))
        })
        return Effect.ensuring(transacted, release)
      })
    ).pipe(Effect.withSpan("sqlite.transaction", { kind: "client", captureStackTrace: false }))

  const part = <A, E, R>(parent: Unit, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.uninterruptibleMask((restore) => {
      const { transaction: state } = parent.state
      const unit = makeUnit(parent.depth + 1, parent.raw, state)
      const name = `part_${unit.depth}`
      const say = (statement: string) => step(state, execute(parent.raw, statement))
      const undo = Effect.catchAll(
        Effect.zipRight(say(`ROLLBACK TO ${name}`), say(`RELEASE ${name}`)),
        (error) =>
          Effect.sync(() => {
            // What can not be undone must not be kept with the rest.
            state.failure = Option.some(error)
          })
      )
      const keep = Effect.zipRight(
        attempt("end a part of a transaction")(say(`RELEASE ${name}`)),
        Effect.sync(() => parent.followers.push(...unit.followers))
      )
      return Effect.zipRight(
        attempt("begin a part of a transaction")(say(`SAVEPOINT ${name}`)),
        run(
          unit,
          restore(effect),
          (exit): Effect.Effect<A, E | StorageError> => Effect.zipRight(Exit.isSuccess(exit) ? keep : undo, exit)
        )
      )
    })

  /** Enters the running transaction, or else a new one. */
  const enter = (
    statement: string,
    alone: <A, E, R>(transaction: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
    inside: <A, E, R>(parent: Unit, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  ) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.flatMap(running, (parent) => {
      if (Option.isNone(parent)) return alone(transaction(statement, hold, effect))
      const { depth, raw, state } = parent.value
      if (depth > 0) return inside(parent.value, effect)
      return state.lock.withPermits(1)(
        transaction(statement, () => Effect.succeed({ raw, release: Effect.void }), effect)
      )
    })

  // Of those in this process that want to write the first alone tries for the lock; the connection is free meanwhile.
  const writers = Effect.unsafeMakeSemaphore(1)
  const write = enter("BEGIN IMMEDIATE", writers.withPermits(1), (_, statement) => statement)
  const atomically = enter(
    "BEGIN IMMEDIATE",
    writers.withPermits(1),
    (parent, effect) =>
      parent.state.lock.withPermits(1)(
        // The transaction may have ended while this waited: then it takes no more, and this is one of its own.
        Effect.suspend(() => parent.state.ended ? atomically(effect) : part(parent, effect))
      )
  )

  return {
    connection: Effect.flatMap(
      running,
      Option.match({ onNone: () => free, onSome: ({ guarded }) => Effect.succeed(guarded) })
    ),
    atomically,
    write,
    snapshot: enter("BEGIN", identity, (_, reads) => reads),
    afterCommit: (effect) =>
      Effect.flatMap(running, (unit) =>
        Option.isSome(unit) && unit.value.depth > 0
          ? Effect.sync(() => {
            unit.value.followers.push(effect)
          })
          : effect)
  }
}
