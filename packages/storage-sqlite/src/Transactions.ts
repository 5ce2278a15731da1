import type { StorageError } from "@community-messaging/domain/StorageError"
import { traced } from "@community-messaging/domain/Traced"
import { SqlClient, type SqlConnection, type SqlError } from "@effect/sql"
import { Context, Duration, Effect, Exit, FiberRef, Option, Schedule } from "effect"
import type * as Access from "./Access.ts"
import { patience, realTime } from "./ConnectionSettings.ts"
import * as GroupCommit from "./GroupCommit.ts"
import {
  freshTransaction,
  GuardedConnection,
  perform,
  step,
  type TransactionState,
  type UnitState,
  whenExchanged,
  whenFree
} from "./GuardedConnection.ts"
import { Mutex, type Restore } from "./Mutex.ts"
import { attempt, isBusy, storageError } from "./SqliteFailure.ts"

/** Transactions on the one connection of a database. Whoever has the connection has it alone. */
export interface Transactions {
  /** The connection for statements: the running unit's, or else the free one for as long as the scope is open. */
  readonly connection: SqlConnection.Connection.Acquirer
  /** Runs a statement in the running unit, or else when the connection is free. */
  readonly statement: (
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
  /** Runs the effect in a writing transaction, or where one is running in a part of it that fails alone. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Runs one statement that writes, and reads before it, in the running transaction or in one of its own. */
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

/**
 * SQLite obeys this pragma when it prepares it: so it must not come out of the cache of prepared statements, and not be
 * prepared, as the driver does, before its turn.
 */
const setBusyTimeout = (raw: SqlConnection.Connection, timeout: Duration.Duration) => {
  Effect.runSync(raw.executeUnprepared(`PRAGMA busy_timeout = ${Duration.toMillis(timeout)}`, [], undefined))
}

/** Begins, or fails at once: SQLite's own waiting stops the process, in which the lock's holder may be running. */
const begin = (raw: SqlConnection.Connection, statement: string, lockTimeout: Duration.Duration) => {
  setBusyTimeout(raw, Duration.zero)
  const begun = perform(raw, [statement, []])
  setBusyTimeout(raw, lockTimeout)
  return begun
}

/** Undoes the transaction, unless SQLite has done so by itself. */
const rollback = (raw: SqlConnection.Connection) => perform(raw, ["ROLLBACK", []])

const commit = (raw: SqlConnection.Connection) => {
  const committed = perform(raw, ["COMMIT", []])
  if (Exit.isFailure(committed)) rollback(raw)
  return committed
}

/** The transaction is kept already: what goes wrong with a follower undoes neither it nor the other followers. */
const runFollowers = (followers: ReadonlyArray<Effect.Effect<void>>) =>
  Effect.forEach(
    followers,
    Effect.catchAllCause((cause) => Effect.logError("What was to follow a commit failed", cause)),
    { discard: true }
  )

const inSpan = traced("sqlite.transaction", { kind: "client" })

/** Transactions on one connection. `shared`: it is a client's that has other users, whose statements inside a unit of work belong to it. */
export const make = ({ access, lockTimeout, shared }: {
  readonly access: Access.Access
  readonly lockTimeout: Duration.Duration
  readonly shared: boolean
}): Transactions => {
  // Of this database alone: the transaction of another one means nothing here. A joined fiber brings none with it.
  const current = FiberRef.unsafeMake(Option.none<Unit>(), { join: (own) => own })
  const running = Effect.map(FiberRef.get(current), Option.filter((unit) => !unit.state.ended))

  const makeUnit = (depth: number, raw: SqlConnection.Connection, transaction: TransactionState): Unit => {
    const state: UnitState = { transaction, lock: new Mutex(), ended: false }
    return { depth, raw, state, guarded: new GuardedConnection(raw, state, access.acquirer), followers: [] }
  }

  const within = <A, E, R>(unit: Unit, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    // The client counts from 0 in a transaction, and takes any number below for none.
    shared
      ? Effect.mapInputContext(
        body,
        (context: Context.Context<R>) =>
          Context.add(context, SqlClient.TransactionConnection, [unit.guarded, unit.depth - 1])
      )
      : body

  /**
   * Runs the body as the unit and ends it, inside an uninterruptible region. Parts of it that other fibers are still
   * running are waited for.
   */
  const run = <A, E, R, B, E2>(
    unit: Unit,
    body: Effect.Effect<A, E, R>,
    end: (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2>
  ): Effect.Effect<B, E2, R> =>
    Effect.flatMap(
      FiberRef.getAndSet(current, Option.some(unit)),
      (outer) =>
        Effect.flatMap(Effect.exit(within(unit, body)), (exit) =>
          Effect.zipRight(
            FiberRef.set(current, outer),
            whenFree(unit.state, () => {
              unit.state.ended = true
              return end(exit)
            })
          ))
    )

  /** Others may have the connection between two attempts. */
  const begun = (
    statement: string,
    holding: Effect.Effect<Access.Held, SqlError.SqlError>,
    restore: Restore
  ): Effect.Effect<Access.Held, StorageError> =>
    Effect.flatMap(Schedule.driver(patience(lockTimeout)), (driver) => {
      const beginning: Effect.Effect<Access.Held, StorageError> = holding.pipe(
        Effect.tap((held) =>
          Effect.onError(Effect.suspend(() => begin(held.raw, statement, lockTimeout)), () => Effect.sync(held.release))
        ),
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
    run(makeUnit(0, raw, freshTransaction()), runFollowers(followers), () => Effect.void)

  /** Runs the effect in a transaction of its own. */
  const transaction = <A, E, R>(
    statement: string,
    holding: (restore: Restore) => Effect.Effect<Access.Held, SqlError.SqlError>,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> =>
    inSpan(
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(begun(statement, holding(restore), restore), ({ raw, release }) => {
          const state = freshTransaction()
          const unit = makeUnit(1, raw, state)
          const transacted = run(unit, restore(effect), (exit): Effect.Effect<A, E | StorageError> => {
            if (Exit.isSuccess(exit) && Option.isNone(state.failure)) {
              return attempt("commit a transaction")(commit(raw)).pipe(
                Effect.zipRight(follow(raw, unit.followers)),
                Effect.zipRight(exit)
              )
            }
            rollback(raw)
            return Exit.isSuccess(exit) && Option.isSome(state.failure)
              ? Effect.fail(storageError("go on with a transaction", state.failure.value))
              : exit
          })
          return Effect.ensuring(transacted, Effect.sync(release))
        })
      )
    )

  const groups = GroupCommit.make({
    begin: (restore) => begun("BEGIN IMMEDIATE", access.hold(restore), restore),
    beginNow: (raw) => begin(raw, "BEGIN IMMEDIATE", lockTimeout),
    commit,
    rollback
  })

  /** Runs the effect as a unit of work of its own, in a transaction with others that write at the moment. */
  const grouped = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    inSpan(Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(groups.enter(restore), (group) => {
        const { held: { raw }, state } = group
        const unit = makeUnit(1, raw, state)
        return run(unit, restore(effect), (exit) =>
          groups.leave(
            group,
            exit,
            Exit.isSuccess(exit) && unit.followers.length > 0 ? follow(raw, unit.followers) : undefined
          ))
      })
    ))

  const part = <A, E, R>(parent: Unit, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.uninterruptibleMask((restore) => {
      const { transaction: state } = parent.state
      const unit = makeUnit(parent.depth + 1, parent.raw, state)
      const name = `part_${unit.depth}`
      const say = (...statements: ReadonlyArray<string>) =>
        Effect.forEach(
          statements,
          (statement) => whenExchanged(state, () => step(parent.raw, state, [statement, []])),
          { discard: true }
        )
      const undo = Effect.catchAll(say(`ROLLBACK TO ${name}`, `RELEASE ${name}`), (error) =>
        Effect.sync(() => {
          // What can not be undone must not be kept with the rest.
          state.failure = Option.some(error)
        }))
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
    alone: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>,
    inside: <A, E, R>(parent: Unit, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  ) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.flatMap(running, (parent) => {
      if (Option.isNone(parent)) return alone(effect)
      const { depth, raw, state } = parent.value
      if (depth > 0) return inside(parent.value, effect)
      // What follows a commit has the connection already.
      return state.lock.exclusively(
        transaction(statement, () => Effect.succeed({ raw, release: () => {} }), effect)
      )
    })

  const write = enter("BEGIN IMMEDIATE", grouped, (_, statement) => statement)
  const atomically = enter("BEGIN IMMEDIATE", grouped, (parent, effect) =>
    parent.state.lock.exclusively(
      // The transaction may have ended while this waited: then it takes no more, and this is one of its own.
      Effect.suspend(() => parent.state.ended ? atomically(effect) : part(parent, effect))
    ))

  return {
    connection: Effect.flatMap(
      running,
      Option.match({ onNone: () => access.acquirer, onSome: ({ guarded }) => Effect.succeed(guarded) })
    ),
    statement: (text, parameters) => {
      const outside = Effect.suspend(() => access.statement([text, parameters]))
      const inside = ({ raw, state }: Unit) =>
        whenFree(state, () => state.ended ? outside : step(raw, state.transaction, [text, parameters]))
      return Effect.withFiberRuntime((fiber) => {
        const unit = fiber.getFiberRef(current)
        return Option.isSome(unit) ? inside(unit.value) : outside
      })
    },
    atomically,
    write,
    snapshot: enter("BEGIN", (reads) => transaction("BEGIN", access.hold, reads), (_, reads) => reads),
    afterCommit: (effect) =>
      Effect.flatMap(running, (unit) =>
        Option.isSome(unit) && unit.value.depth > 0
          ? Effect.sync(() => {
            unit.value.followers.push(effect)
          })
          : effect)
  }
}
