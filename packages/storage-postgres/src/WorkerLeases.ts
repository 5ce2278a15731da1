import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import * as SideBySide from "@community-messaging/domain/shared-kernel/SideBySide"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { MAX_WORKERS, WorkerNumber } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import { Database } from "@community-messaging/storage-sql/Database"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { Duration, Effect, Layer, Option, Queue, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import * as FailureLog from "./FailureLog.ts"

/** The options of leases. */
export interface Options {
  /** How long a number stays with a process that does not renew its lease. Default: 30 seconds. */
  readonly lease?: Duration.DurationInput
}

const DEFAULT_LEASE = Duration.seconds(30)

/** Without renewal, a process stops using its number after this part of the lease, because clocks differ in speed. */
const USABLE = 5 / 6

/** The part of the lease after which it is renewed. */
const RENEWED_AFTER = 1 / 3

/**
 * The part of the lease that a statement on it may take. Then a renewal is tried again on another connection: one whose
 * other end is gone would otherwise be lost only after the timeout of statements, which is longer than the lease.
 */
const ANSWERED_WITHIN = 1 / 6

/** The minimum of that time. A connection may have to be opened first. */
const MIN_ANSWER = Duration.seconds(1)

/** The part of the lease after which a renewal that failed is tried again. */
const RETRIED_AFTER = 1 / 30

/** A number, and the end of its use by both clocks of this process. */
interface Held {
  readonly worker: number
  /** By the monotonic clock, which may stop while the machine is suspended. */
  readonly untilNanos: bigint
  /** By the wall clock, which may be changed. */
  readonly untilMillis: number
}

const isUsable = ({ untilMillis, untilNanos }: Held): boolean =>
  realTime.unsafeCurrentTimeNanos() < untilNanos && realTime.unsafeCurrentTimeMillis() < untilMillis

const decodeWorker = Rows.decodeInteger("worker_leases")

/**
 * The statements of a process on its row. Times are those of the database. Each is a transaction of its own, outside of the
 * queue for units of work, so that a renewal does not wait behind units that wait for locks.
 */
const leasesOf = (owner: string, lease: Duration.Duration) =>
  Effect.map(Database, ({ sql }) => {
    const seconds = Duration.toSeconds(lease)
    /** Takes the number whose lease ended longest ago: the later it is reused, the less clocks matter. */
    const take = sql`
      UPDATE worker_leases SET owner = ${owner}, expires_at = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE worker = (
        SELECT worker FROM worker_leases WHERE expires_at <= clock_timestamp()
        ORDER BY expires_at, worker LIMIT 1 FOR UPDATE SKIP LOCKED
      )
      RETURNING worker AS value
    `.pipe(attempt("reserve a worker number"))
    const renew = (worker: number) =>
      sql`
        UPDATE worker_leases SET expires_at = clock_timestamp() + make_interval(secs => ${seconds})
        WHERE worker = ${worker} AND owner = ${owner}
        RETURNING worker AS value
      `.pipe(attempt("renew the lease of the worker number"))
    const free = (worker: number) =>
      sql`
        UPDATE worker_leases SET owner = NULL, expires_at = clock_timestamp()
        WHERE worker = ${worker} AND owner = ${owner}
      `.pipe(attempt("free the worker number"))
    return { free, renew, take }
  })

const NONE = new StorageError({
  operation: "generate an id: this process has no worker number, because it could not renew its lease"
})

const NO_ANSWER = new StorageError({
  operation: "renew or end the lease of the worker number: the database does not answer"
})

const ALL_TAKEN = new StorageError({
  operation: `reserve a worker number: running processes have all ${MAX_WORKERS}`
})

const make = (options: Options) =>
  Effect.gen(function*() {
    const lease = Duration.decode(options.lease ?? DEFAULT_LEASE)
    const leases = yield* leasesOf(randomUUID(), lease)
    const usable = Duration.times(lease, USABLE)
    let owned: number | undefined
    let held: Held | undefined
    const log = FailureLog.make(
      "The lease of the worker number cannot be renewed. When it ends, no ids are generated",
      "The lease of the worker number is renewed again"
    )
    let preparation: Effect.Effect<void, StorageError> = Effect.void

    /** Runs a statement on the lease. The lease counts from before the statement, because the database may run it later. */
    const hold = (statement: Effect.Effect<ReadonlyArray<unknown>, StorageError>) =>
      Effect.gen(function*() {
        const untilNanos = realTime.unsafeCurrentTimeNanos() + Option.getOrThrow(Duration.toNanos(usable))
        const untilMillis = realTime.unsafeCurrentTimeMillis() + Duration.toMillis(usable)
        const rows = yield* statement
        if (rows.length === 0) return false
        const worker = yield* decodeWorker(rows)
        owned = worker
        // Other processes may have had a new number before.
        if (held === undefined) yield* preparation
        held = { worker, untilNanos, untilMillis }
        return true
      })

    const take = Effect.filterOrFail(hold(leases.take), (isTaken) => isTaken, () => ALL_TAKEN)

    /** Renews the lease. Takes another number if a process took this one after the lease had ended. */
    const keep = Effect.gen(function*() {
      if (owned !== undefined && (yield* hold(leases.renew(owned)))) return
      owned = undefined
      held = undefined
      yield* take
    })

    /** Bounds the time for an answer, because the other end of the connection may be gone. */
    const answered = (statement: Effect.Effect<unknown, StorageError>) =>
      statement.pipe(
        // Does not wait for a commit that cannot be interrupted.
        Effect.disconnect,
        Effect.interruptible,
        Effect.timeoutFail({
          duration: Duration.max(MIN_ANSWER, Duration.times(lease, ANSWERED_WITHIN)),
          onTimeout: () => NO_ANSWER
        }),
        Effect.withClock(realTime)
      )

    /** Ends the pause before a renewal: by the wall clock, which was set forward, the lease is over already. */
    const earlyRenewal = yield* Queue.sliding<void>(1)
    const pause = SideBySide.firstOf(Effect.sleep(Duration.times(lease, RENEWED_AFTER)), Queue.take(earlyRenewal))
    const keepAlways = pause.pipe(
      Effect.zipRight(
        answered(keep).pipe(
          Effect.tapError(log.onFailure),
          Effect.retry(Schedule.spaced(Duration.times(lease, RETRIED_AFTER))),
          Effect.zipRight(log.onSuccess)
        )
      ),
      Effect.forever,
      Effect.withClock(realTime)
    )

    yield* Effect.acquireRelease(
      take,
      () => owned === undefined ? Effect.void : Effect.ignoreLogged(answered(leases.free(owned)))
    )
    yield* Effect.forkScoped(keepAlways)
    return {
      current: Effect.suspend(() => {
        if (held !== undefined && isUsable(held)) return Effect.succeed(held.worker)
        Queue.unsafeOffer(earlyRenewal, undefined)
        return NONE
      }),
      beforeUse: (prepare: Effect.Effect<void, StorageError>) => {
        preparation = Effect.zipRight(preparation, prepare)
        return prepare
      }
    }
  })

/**
 * The worker number of this process, by a lease in the database. The process renews the lease in the background, and frees
 * the number when the scope ends. A process that could not renew the lease in time has no number until it gets one again.
 * The layer fails if running processes have all numbers.
 */
export const layer = (options: Options = {}): Layer.Layer<WorkerNumber, StorageError, Database> =>
  Layer.scoped(WorkerNumber, make(options))
