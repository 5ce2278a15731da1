import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { traced } from "@community-messaging/domain/shared-kernel/Traced"
import { yieldToEventLoop } from "@community-messaging/member-index/TimeSlicer"
import * as CommitMetrics from "@community-messaging/storage-sql/CommitMetrics"
import { FifoLock, type Restore } from "@community-messaging/storage-sql/FifoLock"
import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { type Run, type Storage, Unit } from "@community-messaging/storage-sql/Units"
import { Cause, type Clock, Duration, Effect, Exit, Schedule } from "effect"
import type { Connection } from "./Connection.ts"
import { patience, realTime } from "./ConnectionSettings.ts"
import { isBusy, mayHaveRolledBack } from "./SqliteFailure.ts"

/*
 * Group commit: units of work that are ready in the same turn of the event loop run one after another in one SQLite
 * transaction, each in its own savepoint. They complete when that transaction is on disk. A commit mostly waits for the
 * disk, so many units together take little longer than one.
 */

/** The most units of a group: the first one completes only after the last one. */
const MAX_UNITS = 64

/** The milliseconds after which a group takes no more units, because other processes wait for the lock. */
const MAX_MILLIS = 10

/** Completes a unit: with the failure if it was not committed. */
type Answer = (failure: StorageError | undefined) => void

/** Units of work in one transaction. */
interface Group {
  readonly clock: Clock.Clock
  /** When it began, in milliseconds of that clock. */
  readonly since: number
  /** Of the units that are done and wait for the commit. */
  readonly answers: Array<Answer>
  /** Why nothing of it can be kept any more: SQLite may have undone it already. */
  failure: SqlFailure | undefined
  /** Whether those who wait for events are to be woken by its commit. */
  notifies: boolean
}

/** A unit that runs. */
interface Turn {
  readonly group: Group
  /** Whether others of the group came before it, and it can be undone without them. */
  readonly hasSavepoint: boolean
  /** Why its statements fail: it was idle for too long. */
  failure: SqlFailure | undefined
  /** When it last asked something, in milliseconds of `performance.now`. */
  lastActive: number
}

interface Options {
  /** Nobody else uses it. */
  readonly connection: Connection
  /** How long to wait for the lock of another process. */
  readonly lockTimeout: Duration.Duration
  /** How long a unit of work may ask nothing of the storage before it fails. */
  readonly idleTimeout: Duration.Duration
  /** Is called after a commit of events. */
  readonly wake: () => void
}

const hasRoom = ({ answers, clock, failure, since }: Group) =>
  answers.length < MAX_UNITS && failure === undefined && clock.unsafeCurrentTimeMillis() - since < MAX_MILLIS

const failureOf = (exit: Exit.Exit<unknown, SqlFailure>): SqlFailure | undefined =>
  Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : undefined

const inSpan = traced("sqlite.transaction", { kind: "client" })

/** Makes the writer of a database. There is one per process. */
export const make = ({ connection, idleTimeout, lockTimeout, wake }: Options): Storage["transact"] => {
  /** Who has it runs a unit, or ends the group. */
  const turns = new FifoLock()
  CommitMetrics.register()
  let open: Group | undefined

  const say = (text: string) => failureOf(connection.run(text, []))

  /** Ends the transaction; gives why it could not be kept. */
  const end = ({ answers, failure }: Group): StorageError | undefined => {
    if (failure !== undefined) {
      say("ROLLBACK")
      return storageError("go on with a transaction", failure)
    }
    const begun = performance.now()
    const refused = say("COMMIT")
    CommitMetrics.count(answers.length, performance.now() - begun)
    if (refused === undefined) return undefined
    say("ROLLBACK")
    return storageError("commit a transaction", refused)
  }

  /** Lets the next unit run, in this group or in another one. */
  const passOn = () => {
    const group = open
    if (group !== undefined && !(turns.isAwaited && hasRoom(group))) {
      open = undefined
      const failure = end(group)
      if (failure === undefined && group.notifies) wake()
      for (const answer of group.answers) answer(failure)
    }
    turns.release()
  }

  const refuse = (failure: SqlFailure) => Effect.fail(storageError("begin a transaction", failure))

  /** Waits for the lock of another process. Others may have their turn of the event loop between two attempts. */
  const beginWhenFree = (restore: Restore, busy: SqlFailure): Effect.Effect<void, StorageError> =>
    Effect.flatMap(Schedule.driver(patience(lockTimeout)), (driver) => {
      const tryAgain = (failure: SqlFailure): Effect.Effect<void, StorageError> =>
        isBusy(failure)
          ? Effect.matchEffect(restore(Effect.withClock(driver.next(failure), realTime)), {
            onSuccess: () => begin(tryAgain),
            onFailure: () => refuse(failure)
          })
          : refuse(failure)
      return tryAgain(busy)
    })

  const begin = (
    onFailure: (failure: SqlFailure) => Effect.Effect<void, StorageError>
  ): Effect.Effect<void, StorageError> => {
    const failure = say("BEGIN IMMEDIATE")
    return failure === undefined ? Effect.void : onFailure(failure)
  }

  const beginGroup = (restore: Restore): Effect.Effect<Group, StorageError> => {
    // Those who are ready in the same turn of the event loop gather meanwhile.
    const begun = Effect.flatMap(
      restore(yieldToEventLoop),
      () => begin((failure) => beginWhenFree(restore, failure))
    )
    return Effect.matchCauseEffect(begun, {
      onFailure: (cause) => {
        turns.release()
        return Effect.failCause(cause)
      },
      onSuccess: () =>
        Effect.clockWith((clock) => {
          open = { clock, since: clock.unsafeCurrentTimeMillis(), answers: [], failure: undefined, notifies: false }
          return Effect.succeed(open)
        })
    })
  }

  const turnIn = (group: Group): Turn => {
    const hasSavepoint = group.answers.length > 0
    if (hasSavepoint) group.failure ??= say("SAVEPOINT unit")
    return { group, hasSavepoint, failure: undefined, lastActive: performance.now() }
  }

  /** Waits for its turn, and begins a unit in the open group or in a new one. Only the waiting can be interrupted. */
  const enter = (restore: Restore): Effect.Effect<Turn, StorageError> =>
    Effect.flatMap(
      turns.acquire(restore, passOn),
      () => open === undefined ? Effect.map(beginGroup(restore), turnIn) : Effect.succeed(turnIn(open))
    )

  const unitOf = (turn: Turn): Unit => {
    const run: Run = (text, parameters) => {
      const gone = turn.failure ?? turn.group.failure
      if (gone !== undefined) return Exit.fail(gone)
      const outcome = connection.run(text, parameters)
      turn.lastActive = performance.now()
      const failure = failureOf(outcome)
      if (failure !== undefined && mayHaveRolledBack(failure)) turn.group.failure = failure
      return outcome
    }
    return new Unit({
      run,
      send: run,
      fail: (failure) => {
        turn.group.failure = failure
      }
    })
  }

  const expire = (turn: Turn) => (): Exit.Exit<never, StorageError> => {
    const cause = new Error(`It sent no statement for ${Duration.format(idleTimeout)}.`)
    turn.failure = new SqlFailure({ cause })
    return Exit.fail(storageError("wait for a unit of work", turn.failure))
  }

  /** Ends a unit: it is undone where it failed, and answered when its group is on the disk. */
  const leave = <A, E>(
    { group, hasSavepoint }: Turn,
    unit: Unit,
    exit: Exit.Exit<A, E>
  ): Effect.Effect<A, E | StorageError> => {
    if (Exit.isFailure(exit) && !hasSavepoint) {
      say("ROLLBACK")
      open = undefined
      turns.release()
      return exit
    }
    if (Exit.isFailure(exit)) group.failure ??= say("ROLLBACK TO SAVEPOINT unit")
    else group.notifies ||= unit.notifies
    // SQLite notes each changed page in every savepoint that is open, so that those of a large group would cost most of it.
    if (hasSavepoint) group.failure ??= say("RELEASE SAVEPOINT unit")
    // A failure may come of what others in the group have done: it is told when that is on the disk.
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
      Effect.flatMap(enter(restore), (turn) => {
        const unit = unitOf(turn)
        const bounded = IdleLimit.run(restore, restore(body(unit)), {
          limitMillis: Duration.toMillis(idleTimeout),
          lastActive: () => turn.lastActive,
          expire: expire(turn)
        })
        return Effect.matchCauseEffect(bounded, {
          onFailure: (cause) => leave(turn, unit, Exit.failCause(cause)),
          onSuccess: (value) => leave(turn, unit, Exit.succeed(value))
        })
      })
    ))
}
