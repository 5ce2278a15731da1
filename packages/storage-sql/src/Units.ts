import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Exit, FiberRef } from "effect"
import { FifoLock } from "./FifoLock.ts"
import { attempt, type SqlFailure, storageError } from "./SqlFailure.ts"
import type { Parameter } from "./Statements.ts"

/** Runs a statement. */
export type Run = (
  text: string,
  parameters: ReadonlyArray<Parameter>
) => Effect.Effect<ReadonlyArray<unknown>, SqlFailure>

/** Runs a statement whose result nobody reads. */
export type Send = (text: string, parameters: ReadonlyArray<Parameter>) => Effect.Effect<void, SqlFailure>

/** The transaction of a unit of work, as its storage has begun it. */
export interface Transaction {
  readonly run: Run
  /**
   * Runs a statement whose result nobody reads. Where a result takes a round trip, it does not wait for it: if the statement
   * fails, the next one fails for its reason, or the commit.
   */
  readonly send: Send
  /** Marks the transaction as failed, so that it is rolled back. */
  readonly fail: (failure: SqlFailure) => void
}

/** A unit of work that runs, or one inside it. */
export class Unit {
  readonly transaction: Transaction
  /** How many units it is inside of. */
  readonly depth: number
  /** Held by a unit inside this one as long as that runs: statements of this one would be undone with it. */
  readonly lock = new FifoLock()
  ended = false
  /** Whether those who wait are to be woken when it is committed. */
  notifies = false

  constructor(transaction: Transaction, depth = 0) {
    this.transaction = transaction
    this.depth = depth
  }
}

/** What a storage adds: how it reads, and how its transactions begin and end. */
export interface Storage {
  /** Reads what is committed. */
  readonly read: Run
  /** Runs the body in a transaction: commits it if the body succeeds, and rolls it back if the body fails. */
  readonly transact: <A, E, R>(
    body: (unit: Unit) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** Runs the body in a transaction that sees one state. */
  readonly snapshot: <A, E, R>(
    body: (unit: Unit) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** Wakes those who wait for a commit. */
  readonly wake: () => void
}

/** Units of work on a storage. */
export interface Units {
  /** Runs a statement in the running unit; outside it reads what is committed. */
  readonly statement: Run
  /** Like `Database.send`. */
  readonly send: Send
  /** As `UnitOfWork.atomically`. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Runs one statement that writes, in the running unit or in one of its own. */
  readonly write: <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** As `UnitOfWork.snapshot`. */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Wakes those who wait for events once the running unit is committed. A rollback forgets it. */
  readonly notify: Effect.Effect<void>
  /** Whether a unit of work runs. */
  readonly isInside: Effect.Effect<boolean>
}

/** Goes on at once, or when no unit inside that one runs any more. */
const whenFree = <A, E, R>(unit: Unit, goOn: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  unit.lock.isHeld
    ? Effect.zipRight(unit.lock.exclusively(Effect.void), Effect.suspend(() => whenFree(unit, goOn)))
    : goOn()

/** Units of work on that storage. One inside another is a savepoint of it. */
export const make = (storage: Storage): Units => {
  // Of this database alone: a unit of work of another one means nothing here. A joined fiber brings none with it.
  const current = FiberRef.unsafeMake<Unit | undefined>(undefined, { join: (own) => own })

  /** Runs the effect as that unit, and ends it when no unit inside it runs any more. */
  const within = <A, E, R>(unit: Unit, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const outer = fiber.getFiberRef(current)
      const end = Effect.suspend(() =>
        whenFree(unit, () => {
          unit.ended = true
          return FiberRef.set(current, outer)
        })
      )
      // What `locally` and `onExit` do, in a third of the steps: every write takes this way.
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

  /** Goes on in the running unit, or outside of any. A fiber that outlives its unit is outside. */
  const withCurrent = <A, E, R>(goOn: (unit: Unit | undefined) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const unit = fiber.getFiberRef(current)
      return goOn(unit?.ended === true ? undefined : unit)
    })

  const savepoint = <A, E, R>(
    outer: Unit,
    effect: Effect.Effect<A, E, R>
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
      // It fails for the reason of a statement that nobody waited for.
      const keep = Effect.matchEffect(run("RELEASE SAVEPOINT"), {
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

  const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    withCurrent((outer) =>
      outer === undefined
        ? storage.transact((unit) => within(unit, effect))
        : outer.lock.exclusively(
          // The outer unit may have ended while this one waited.
          Effect.suspend(() => outer.ended ? atomically(effect) : savepoint(outer, effect))
        )
    )

  const statement: Run = (text, parameters) =>
    withCurrent((unit) =>
      unit === undefined
        ? storage.read(text, parameters)
        : whenFree(unit, () => unit.ended ? storage.read(text, parameters) : unit.transaction.run(text, parameters))
    )

  const send: Send = (text, parameters) =>
    withCurrent((unit) =>
      unit === undefined
        ? storage.read(text, parameters)
        : whenFree(unit, () => unit.ended ? storage.read(text, parameters) : unit.transaction.send(text, parameters))
    )

  return {
    statement,
    send,
    atomically,
    write: (effect) =>
      withCurrent((unit) => unit === undefined ? storage.transact((own) => within(own, effect)) : effect),
    snapshot: (reads) =>
      withCurrent((unit) => unit === undefined ? storage.snapshot((own) => within(own, reads)) : reads),
    notify: withCurrent((unit) => {
      if (unit === undefined) storage.wake()
      else unit.notifies = true
      return Effect.void
    }),
    isInside: withCurrent((unit) => Effect.succeed(unit !== undefined))
  }
}
