import { FifoLock, type Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { traced } from "@community-messaging/domain/shared-kernel/Traced"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import * as CommitMetrics from "@community-messaging/storage-sql/CommitMetrics"
import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { attempt, type SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { type Run, type Storage, Unit } from "@community-messaging/storage-sql/Units"
import { Cause, type Clock, Duration, Effect, Exit } from "effect"
import type { Connection } from "./Connection.ts"
import { retryWhileLocked } from "./ConnectionSettings.ts"
import { isBusy, mayHaveRolledBack } from "./SqliteFailure.ts"

/*
 * Group commit: units of work that are ready in the same turn of the event loop run one after another in one SQLite
 * transaction, each in its own savepoint. They complete when that transaction is on disk. A commit mostly waits for the
 * disk, so many units together take little longer than one.
 */

/** The maximum number of units in a group: the first one completes only after the last one. */
const MAX_UNITS = 64

/** The milliseconds after which a group accepts no more units, because other processes wait for the lock. */
const MAX_MILLIS = 10

/** Completes a unit; with a failure if it was not committed. */
type Answer = (failure: StorageError | undefined) => void

/** Units of work in one transaction. */
interface Group {
  readonly clock: Clock.Clock
  /** When the transaction began, in milliseconds of `clock`. */
  readonly since: number
  /** Completes the units that have ended and wait for the commit. */
  readonly answers: Array<Answer>
  /** Why the transaction cannot be committed: SQLite may already have rolled it back. */
  failure: SqlFailure | undefined
  /** Whether its commit appends events, and so notifies their subscribers. */
  notifies: boolean
}

/** A running unit. */
interface RunningUnit {
  readonly group: Group
  /** Whether other units of the group ran before it. If so, it can be rolled back without them. */
  readonly hasSavepoint: boolean
  /** Why its statements fail: it was idle for too long. */
  failure: SqlFailure | undefined
  /** When it last ran a statement, in milliseconds of `performance.now`. */
  lastActive: number
}

interface Options {
  /** The connection, which only the writer uses. */
  readonly connection: Connection
  /** How long to wait for the lock of another process. */
  readonly lockTimeout: Duration.Duration
  /** How long a unit of work may run no statement before it fails. */
  readonly idleTimeout: Duration.Duration
  /** Called after a commit of events. */
  readonly wake: () => void
}

const hasRoom = ({ answers, clock, failure, since }: Group) =>
  answers.length < MAX_UNITS && failure === undefined && clock.unsafeCurrentTimeMillis() - since < MAX_MILLIS

const failureOf = (exit: Exit.Exit<unknown, SqlFailure>): SqlFailure | undefined =>
  Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : undefined

const inSpan = traced("sqlite.transaction", { kind: "client" })

/** Makes the writer of a database. There is one per process. */
export const make = ({ connection, idleTimeout, lockTimeout, wake }: Options): Storage["transact"] => {
  /** The holder runs a unit, or ends the group. */
  const lock = new FifoLock()
  CommitMetrics.register()
  let open: Group | undefined

  const execute = (text: string) => failureOf(connection.run(text, []))

  /** Ends the transaction. Returns why it was not committed, if so. */
  const endGroup = ({ answers, failure }: Group): StorageError | undefined => {
    if (failure !== undefined) {
      execute("ROLLBACK")
      return storageError("continue a transaction", failure)
    }
    const begun = performance.now()
    const refused = execute("COMMIT")
    CommitMetrics.count(answers.length, performance.now() - begun)
    if (refused === undefined) return undefined
    execute("ROLLBACK")
    return storageError("commit a transaction", refused)
  }

  /** Lets the next unit run, in this group or in a new one. */
  const passOn = () => {
    const group = open
    if (group !== undefined && !(lock.isAwaited && hasRoom(group))) {
      open = undefined
      const failure = endGroup(group)
      if (failure === undefined && group.notifies) wake()
      for (const answer of group.answers) answer(failure)
    }
    lock.release()
  }

  const begin = Effect.suspend(() => connection.run("BEGIN IMMEDIATE", []))

  /** If another process has the lock, waits for it. Between two attempts, the event loop runs. */
  const beginWhenFree = attempt("begin a transaction")(
    Effect.catchIf(begin, isBusy, () => retryWhileLocked(lockTimeout)(begin))
  )

  const beginGroup = (restore: Restore): Effect.Effect<Group, StorageError> =>
    // Units that are ready in the same turn of the event loop queue up in the meantime.
    Effect.matchCauseEffect(restore(Effect.zipRight(nextTurn, beginWhenFree)), {
      onFailure: (cause) => {
        // An interruption may come right after the transaction has begun.
        execute("ROLLBACK")
        lock.release()
        return Effect.failCause(cause)
      },
      onSuccess: () =>
        Effect.clockWith((clock) => {
          open = { clock, since: clock.unsafeCurrentTimeMillis(), answers: [], failure: undefined, notifies: false }
          return Effect.succeed(open)
        })
    })

  const startUnit = (group: Group): RunningUnit => {
    const hasSavepoint = group.answers.length > 0
    if (hasSavepoint) group.failure ??= execute("SAVEPOINT unit")
    return { group, hasSavepoint, failure: undefined, lastActive: performance.now() }
  }

  /**
   * Waits for the turn of a unit, and begins it in the open group or in a new one. Only the waiting can be interrupted.
   */
  const beginUnit = (restore: Restore): Effect.Effect<RunningUnit, StorageError> =>
    Effect.flatMap(
      lock.acquire(restore, passOn),
      () => open === undefined ? Effect.map(beginGroup(restore), startUnit) : Effect.succeed(startUnit(open))
    )

  const unitOf = (running: RunningUnit): Unit => {
    const run: Run = (text, parameters) => {
      const gone = running.failure ?? running.group.failure
      if (gone !== undefined) return Exit.fail(gone)
      const outcome = connection.run(text, parameters)
      running.lastActive = performance.now()
      const failure = failureOf(outcome)
      if (failure !== undefined && mayHaveRolledBack(failure)) running.group.failure = failure
      return outcome
    }
    return new Unit({
      run,
      send: run,
      fail: (failure) => {
        // A unit that was idle for too long fails alone: `endUnit` rolls it back.
        if (running.failure === undefined) running.group.failure = failure
      }
    })
  }

  /** Ends a unit: rolls it back if it failed, and completes it when its group is on the disk. */
  const endUnit = <A, E>(
    { group, hasSavepoint }: RunningUnit,
    unit: Unit,
    exit: Exit.Exit<A, E>
  ): Effect.Effect<A, E | StorageError> => {
    if (Exit.isFailure(exit) && !hasSavepoint) {
      execute("ROLLBACK")
      open = undefined
      lock.release()
      return exit
    }
    if (Exit.isFailure(exit)) group.failure ??= execute("ROLLBACK TO SAVEPOINT unit")
    else group.notifies ||= unit.notifies
    // SQLite records each changed page in all open savepoints, which would take most of the time of a large group.
    if (hasSavepoint) group.failure ??= execute("RELEASE SAVEPOINT unit")
    // A failure may depend on writes of other units of the group, so it is returned when they are on the disk.
    if (Exit.isFailure(exit) && Cause.failureOption(exit.cause)._tag === "None") {
      passOn()
      return exit
    }
    return Effect.async((resume) => {
      group.answers.push((failure) => resume(failure === undefined ? exit : Effect.fail(failure)))
      passOn()
    })
  }

  return (body) =>
    inSpan(Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(beginUnit(restore), (running) => {
        const unit = unitOf(running)
        const bounded = IdleLimit.run(restore, body(unit), {
          limitMillis: Duration.toMillis(idleTimeout),
          lastActive: () => running.lastActive,
          expire: (failure) => {
            running.failure = failure
          }
        })
        return Effect.matchCauseEffect(bounded, {
          onFailure: (cause) => endUnit(running, unit, Exit.failCause(cause)),
          onSuccess: (value) => endUnit(running, unit, Exit.succeed(value))
        })
      })
    ))
}
