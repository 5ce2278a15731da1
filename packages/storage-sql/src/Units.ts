import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Exit, FiberRef } from "effect"
import type { Database } from "./Database.ts"
import { attempt, type SqlFailure, storageError } from "./SqlFailure.ts"
import * as Statements from "./Statements.ts"

/** Runs a statement, whose result is an `A`. */
type Statement<A> = (text: string, parameters: ReadonlyArray<Statements.Parameter>) => Effect.Effect<A, SqlFailure>

/**
 * Runs a statement. The `run` of a transaction sends the statement when it is called, not when the returned effect runs:
 * otherwise, another fiber could begin a nested unit between the check and the statement. Call it inside `Effect.suspend` if
 * the effect may run later, or not at all.
 */
export type Run = Statement<ReadonlyArray<unknown>>

/** Runs a statement whose result is not read. */
export type Send = Statement<void>

/** A lock on a key, which is any text, such as `account:1`. */
export interface Lock {
  readonly key: string
  /** Whether other units can hold the lock shared, too. */
  readonly shared: boolean
}

/** The transaction of a unit of work, which its storage has begun. */
export interface Transaction {
  readonly run: Run
  /**
   * Runs a statement whose result is not read. If a result takes a round trip, it does not wait for it: if the statement
   * fails, the next one or the commit fails with its error.
   */
  readonly send: Send
  /** Marks the transaction as failed, so that it is rolled back. */
  readonly fail: (failure: SqlFailure) => void
}

/** A running unit of work, or a nested one. */
export class Unit {
  readonly transaction: Transaction
  /** The number of units around this one. */
  readonly depth: number
  /**
   * A nested unit holds it while it runs, because its rollback would also undo statements of this unit; and so does a statement
   * that has waited for one.
   */
  readonly lock = new FifoLock()
  /** Whether the unit has ended, which `make` sets. Later statements of its fibers are outside of it. */
  ended = false
  /** Whether the commit notifies the subscribers of events. */
  notifies = false

  constructor(transaction: Transaction, depth = 0) {
    this.transaction = transaction
    this.depth = depth
  }
}

/** The parts that each storage implements: how it reads, and how its transactions begin and end. */
export interface Storage {
  /** Reads committed data. */
  readonly read: Run
  /**
   * Runs the body in a transaction: commits it if the body succeeds, and rolls it back if the body fails. After the commit of a
   * unit with `notifies`, it calls `wake`.
   */
  readonly transact: <A, E, R>(
    body: (unit: Unit) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** Runs the body in a transaction on one snapshot. */
  readonly snapshot: <A, E, R>(
    body: (unit: Unit) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** Takes locks in the running unit, in this order. `send` runs a statement in it. */
  readonly lock: (locks: ReadonlyArray<Lock>, send: Send) => Effect.Effect<void, SqlFailure>
  /** Notifies the subscribers of events. `Units` calls it for events that are appended outside a unit. */
  readonly wake: () => void
}

/** Units of work on a storage. */
export type Units = Omit<typeof Database.Service, "dialect" | "notifications" | "settled">

/** Continues when no nested unit of the unit runs. */
const whenFree = <A, E, R>(unit: Unit, proceed: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  // Holds the lock to its end: fibers that release it and check again would hand it to one another for ever.
  unit.lock.isHeld ? unit.lock.inTurn(Effect.suspend(proceed)) : proceed()

/** Makes the units of work on the storage. A nested unit is a savepoint of the outer one. */
export const make = (storage: Storage): Units => {
  // Only of this database: a unit of work on another database has no effect here. A joined fiber does not pass its unit on.
  const current = FiberRef.unsafeMake<Unit | undefined>(undefined, { join: (own) => own })

  /** Runs the effect as the unit, and ends the unit when no nested one runs any more. */
  const within = <A, E, R>(unit: Unit, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const outer = fiber.getFiberRef(current)
      const end = Effect.suspend(() =>
        whenFree(unit, () => {
          unit.ended = true
          return FiberRef.set(current, outer)
        })
      )
      // Like `locally` and `onExit`, in a third of the steps: every write runs this code.
      return Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          FiberRef.set(current, unit),
          Effect.matchCauseEffect(restore(effect), {
            onFailure: (cause) => Effect.zipRight(end, Effect.failCause(cause)),
            onSuccess: (value) => Effect.as(end, value)
          })
        )
      )
    })

  /** Continues in the running unit, or outside a unit. A fiber that outlives its unit is outside. */
  const withCurrent = <A, E, R>(proceed: (unit: Unit | undefined) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const unit = fiber.getFiberRef(current)
      return proceed(unit?.ended === true ? undefined : unit)
    })

  const savepoint = <A, E, R>(
    outer: Unit,
    effect: Effect.Effect<A, E, R>,
    release: Run | Send
  ): Effect.Effect<A, E | StorageError, R> =>
    Effect.uninterruptibleMask((restore) => {
      const { transaction } = outer
      const unit = new Unit(transaction, outer.depth + 1)
      const name = `savepoint_${unit.depth}`
      const run = (verb: string) => Effect.suspend(() => transaction.run(`${verb} ${name}`, []))
      // If the savepoint cannot be rolled back, the whole transaction must fail.
      const undo = Effect.catchAll(
        Effect.zipRight(run("ROLLBACK TO SAVEPOINT"), run("RELEASE SAVEPOINT")),
        (failure) => Effect.sync(() => transaction.fail(failure))
      )
      const keep = Effect.matchEffect(Effect.suspend(() => release(`RELEASE SAVEPOINT ${name}`, [])), {
        onFailure: (failure) => Effect.zipRight(undo, storageError("release a savepoint", failure)),
        onSuccess: () => {
          outer.notifies ||= unit.notifies
          return Effect.void
        }
      })
      return attempt("set a savepoint")(Effect.suspend(() => transaction.send(`SAVEPOINT ${name}`, []))).pipe(
        Effect.zipRight(Effect.exit(within(unit, restore(effect)))),
        Effect.tap((exit): Effect.Effect<unknown, StorageError> => Exit.isSuccess(exit) ? keep : undo),
        Effect.flatten
      )
    })

  /** Runs the effect in a new unit, or in a savepoint of the running one, which is released in that way. */
  const nested = <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    releaseOf: (transaction: Transaction) => Run | Send
  ): Effect.Effect<A, E | StorageError, R> =>
    withCurrent((outer) =>
      outer === undefined
        ? storage.transact((unit) => within(unit, effect))
        : outer.lock.inTurn(
          // The outer unit may have ended while this one waited for the lock.
          Effect.suspend(() =>
            outer.ended ? nested(effect, releaseOf) : savepoint(outer, effect, releaseOf(outer.transaction))
          )
        )
    )

  /** Runs statements in the running unit, or reads outside a unit. */
  const statement =
    <A>(read: Statement<A>, inside: (transaction: Transaction) => Statement<A>): Statement<A> => (text, parameters) =>
      withCurrent((unit) =>
        unit === undefined
          ? read(text, parameters)
          : whenFree(unit, () => (unit.ended ? read : inside(unit.transaction))(text, parameters))
      )

  const send = statement<void>(storage.read, (transaction) => transaction.send)

  return {
    sql: Statements.make(statement(storage.read, ({ run }) => run)),
    send: Statements.make(send),
    // The release waits: it fails with the error of an earlier statement that was sent without waiting.
    atomically: (effect) => nested(effect, ({ run }) => run),
    // The statement has waited, so its savepoint can be released together with the next statement.
    recoverable: (effect) => nested(effect, ({ send: sendOn }) => sendOn),
    write: (effect) =>
      withCurrent((unit) => unit === undefined ? storage.transact((own) => within(own, effect)) : effect),
    snapshot: (reads) =>
      withCurrent((unit) => unit === undefined ? storage.snapshot((own) => within(own, reads)) : reads),
    notify: withCurrent((unit) => {
      if (unit === undefined) storage.wake()
      else unit.notifies = true
      return Effect.void
    }),
    lock: (locks) =>
      withCurrent((unit) => {
        if (unit === undefined) return Effect.dieMessage("Only a unit of work can lock an aggregate.")
        return locks.length === 0 ? Effect.void : attempt("lock an aggregate")(storage.lock(locks, send))
      }),
    isInside: withCurrent((unit) => Effect.succeed(unit !== undefined))
  }
}
