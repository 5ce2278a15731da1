import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { traced } from "@community-messaging/domain/shared-kernel/Traced"
import * as CommitMetrics from "@community-messaging/storage-sql/CommitMetrics"
import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { type Run, type Storage, Unit } from "@community-messaging/storage-sql/Units"
import { Cause, Deferred, Effect, Exit, FiberId, Random } from "effect"
import * as AdvisoryLocks from "./AdvisoryLocks.ts"
import type { ConnectionPool } from "./ConnectionPool.ts"
import { begin, commit, type Ending, type Group, hasRoom, type Mode, rollBack } from "./Group.ts"
import { isRetryable } from "./PostgresFailure.ts"
import { UnitQueue } from "./UnitQueue.ts"

/*
 * Group commit: while the connections for units of work are in use, a waiting unit runs in the transaction of the unit
 * before it, instead of after its commit. The units of such a group complete when it is committed. If a unit fails after a
 * write, or the commit fails, the group is rolled back, and each unit runs again in a separate transaction.
 */

/** A statement that only reads. */
const QUERY = /^\s*SELECT\b/

/** The maximum number of runs of a unit of work that fails because of concurrent ones. */
const MAX_RUNS = 6

/** The maximum wait before the second run, in milliseconds. It doubles with each run. */
const RETRY_MILLIS = 8

interface Options {
  readonly pool: ConnectionPool
  /** How long a unit of work may send no statement before it fails, in milliseconds. */
  readonly idleMillis: number
  /** Called after a commit of events. */
  readonly wake: () => void
}

/** How long a snapshot may send no statement, in milliseconds: a consumer may take the result. */
const SNAPSHOT_IDLE_MILLIS = 5 * 60_000

/** A unit of work that runs in the transaction of a group. */
interface RunningUnit {
  readonly group: Group
  /** Whether a statement of the unit may have written something, or has failed. */
  hasEffect: boolean
  /** Whether it holds locks, which end with the transaction. */
  hasLocks: boolean
  /** Commits the units before this one, if it leaves their group. Its own statements wait for that. */
  left: Effect.Effect<void, SqlFailure> | undefined
  /** Why its statements fail from now on: it was idle for too long, or its writes cannot be committed. */
  failure: SqlFailure | undefined
  /** Whether it was idle for too long. */
  hasExpired: boolean
}

/**
 * The outcome of a run of a unit: with `conflict`, it failed because of another transaction, and can be run again; with
 * `again`, it must run again, alone.
 */
type Outcome<A, E> = Exit.Exit<A, E | StorageError> | "conflict" | "again"

/** Makes the function that runs a unit of work once. */
const makeRunOnce = ({ idleMillis, pool, wake }: Options) => {
  CommitMetrics.register()
  const queue = new UnitQueue(pool)

  const settle = (group: Group, ending: Ending) => {
    if (ending === "committed" && group.notifies) wake()
    group.notifies = false
    for (const ended of group.ended.splice(0)) Deferred.unsafeDone(ended, Exit.succeed(ending))
  }

  /** Ends the transaction. */
  const end = (group: Group, ending: Effect.Effect<Ending>): Effect.Effect<void> =>
    Effect.map(ending, (known) => {
      pool.release(group.connection)
      queue.end(group)
      settle(group, known)
    })

  /** Lets the next unit run in this group, or commits it. */
  const runNext = (group: Group): Effect.Effect<void> =>
    Effect.suspend(() => hasRoom(group) && queue.dequeueInto(group) ? Effect.void : end(group, commit(group)))

  /** Begins the group of a unit that is alone, on any free connection. */
  const beginAlone = (restore: Restore, mode: Exclude<Mode, "shared">) =>
    Effect.clockWith((clock) => Effect.map(pool.acquire(restore), (connection) => begin(connection, clock, mode)))

  /** Commits the units before this one, which then continues in a separate transaction. */
  const leaveOthers = (member: RunningUnit): Effect.Effect<void, SqlFailure> =>
    Effect.suspend(() => {
      const { group } = member
      return Effect.flatMap(commit(group), (ending) => {
        settle(group, ending)
        group.size = 1
        member.left = undefined
        if (ending === "committed") {
          group.connection.begin("BEGIN")
          return Effect.void
        }
        // It may have seen writes that were not committed.
        member.failure = new SqlFailure({ cause: new Error("The transaction was rolled back.") })
        group.conflict = member.failure
        return member.failure
      })
    })

  /** Records the effect of the statement. Returns the effect that must run before it, if there is one. */
  const beforeStatement = (member: RunningUnit, text: string): Effect.Effect<void, SqlFailure> | undefined => {
    const { group } = member
    if (!QUERY.test(text)) member.hasEffect = true
    if (AdvisoryLocks.isExclusive(text)) {
      // A unit that held an exclusive lock while others of its group run could cause a deadlock.
      queue.close(group)
      if (group.ended.length > 0 && !member.hasEffect && !member.hasLocks) {
        member.left ??= Effect.uninterruptible(Effect.runSync(Effect.cached(leaveOthers(member))))
      }
    }
    member.hasLocks ||= AdvisoryLocks.isLock(text)
    return member.left
  }

  const unitOf = (member: RunningUnit): Unit => {
    const { group } = member
    const { connection } = group
    const run: Run = (text, parameters) =>
      Effect.tapError(connection.run(text, parameters), (failure) => {
        member.hasEffect = true
        if (isRetryable(failure)) group.conflict = failure
        return Effect.void
      })
    const send: Run = (text, parameters) => {
      if (!connection.canSend) return run(text, parameters)
      connection.send(text, parameters)
      return NO_ROWS
    }
    const whenReady = (statement: Run): Run => (text, parameters) => {
      if (member.failure !== undefined) return Exit.fail(member.failure)
      const before = beforeStatement(member, text)
      return before === undefined
        ? statement(text, parameters)
        : Effect.zipRight(before, Effect.suspend(() => whenReady(statement)(text, parameters)))
    }
    return new Unit({
      run: whenReady(run),
      send: whenReady(send),
      fail: (failure) => {
        member.failure = failure
      }
    })
  }

  /** Ends a unit that failed. */
  const abandon = <A, E>(member: RunningUnit, exit: Exit.Exit<A, E>): Effect.Effect<Outcome<A, E>> => {
    const { group } = member
    const isInterrupted = Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
    const isConflict = group.conflict !== undefined
    const hasOthers = group.ended.length > 0
    if (hasOthers && !member.hasEffect && member.failure === undefined && !group.connection.isLost) {
      return isInterrupted ? Effect.as(runNext(group), exit) : complete(group, exit)
    }
    // Writes of earlier units may have caused the failure, and they are rolled back, too.
    const outcome = member.hasExpired || isInterrupted ? exit : isConflict ? "conflict" : hasOthers ? "again" : exit
    return Effect.as(end(group, Effect.as(rollBack(group), "again")), outcome)
  }

  /** Completes a unit when its group has ended. */
  const complete = <A, E>(group: Group, exit: Exit.Exit<A, E>): Effect.Effect<Outcome<A, E>> => {
    const ended = Deferred.unsafeMake<Ending>(FiberId.none)
    group.ended.push(ended)
    return Effect.map(Effect.zipRight(runNext(group), Deferred.await(ended)), (ending): Outcome<A, E> => {
      if (ending === "committed") return exit
      return typeof ending === "string" ? ending : Exit.fail(ending)
    })
  }

  return <A, E, R>(
    restore: Restore,
    body: (unit: Unit) => Effect.Effect<A, E, R>,
    mode: Mode
  ): Effect.Effect<Outcome<A, E>, never, R> =>
    Effect.matchCauseEffect(mode === "shared" ? queue.enqueue(restore, runNext) : beginAlone(restore, mode), {
      onFailure: (cause) => Effect.succeed(Exit.failCause(cause)),
      onSuccess: (group) => {
        const member: RunningUnit = {
          group,
          hasEffect: false,
          hasLocks: false,
          left: undefined,
          failure: undefined,
          hasExpired: false
        }
        const unit = unitOf(member)
        const bounded = IdleLimit.run(restore, body(unit), {
          limitMillis: group.isSnapshot ? SNAPSHOT_IDLE_MILLIS : idleMillis,
          lastActive: () => group.connection.lastActive,
          expire: (failure) => {
            member.failure = failure
            member.hasExpired = true
          }
        })
        return Effect.matchCauseEffect(bounded, {
          onFailure: (cause) => abandon(member, Exit.failCause(cause)),
          onSuccess: (value) => {
            if (member.failure !== undefined) {
              return abandon(member, Exit.fail(storageError("continue a transaction", member.failure)))
            }
            group.notifies ||= unit.notifies
            return complete(group, Exit.succeed(value))
          }
        })
      }
    })
}

const inSpan = traced("postgres.transaction", { kind: "client" })

/** Waits briefly, and longer with each run. */
const pause = (restore: Restore, runs: number): Effect.Effect<void> =>
  Effect.flatMap(
    Random.nextRange(0, RETRY_MILLIS * 2 ** (runs - 1)),
    (millis) => Effect.withClock(restore(Effect.sleep(millis)), realTime)
  )

/** Makes units of work in transactions that run side by side, with several units in one if connections are few. */
export const make = (options: Options): Pick<Storage, "snapshot" | "transact"> => {
  const runOnce = makeRunOnce(options)
  /** Runs a unit of work until it is committed, or fails by itself. */
  const untilDone =
    (first: Mode) => <A, E, R>(body: (unit: Unit) => Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
      inSpan(Effect.uninterruptibleMask((restore) => {
        const attempt = (runs: number, mode: Mode): Effect.Effect<A, E | StorageError, R> =>
          Effect.flatMap(runOnce(restore, body, mode), (outcome): Effect.Effect<A, E | StorageError, R> => {
            const next = mode === "snapshot" ? mode : "alone"
            if (outcome === "again") return attempt(runs, next)
            if (outcome !== "conflict") return outcome
            if (runs >= MAX_RUNS) {
              return new StorageError({ operation: "run a unit of work: it conflicts with others each time" })
            }
            return Effect.zipRight(pause(restore, runs), Effect.suspend(() => attempt(runs + 1, next)))
          })
        return attempt(1, first)
      }))
  return { snapshot: untilDone("snapshot"), transact: untilDone("shared") }
}

const NO_ROWS: Effect.Effect<ReadonlyArray<unknown>> = Effect.succeed([])
