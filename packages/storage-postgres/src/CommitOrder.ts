import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { Signal } from "@community-messaging/domain/shared-kernel/Signal"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Flag } from "@community-messaging/storage-sql/Column"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { attempt, SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { Effect, Option, Predicate, type Queue, Schedule, Schema, type Scope } from "effect"
import { Client, escapeIdentifier } from "pg"
import type { EndBackend } from "./AbandonedBackends.ts"
import { Connection } from "./Connection.ts"
import { clientConfig, settingsStatement } from "./ConnectionPool.ts"
import * as FailureLog from "./FailureLog.ts"
import { LogRequests } from "./LogRequests.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import type { Settings } from "./PostgresOptions.ts"

/*
 * Units of work commit side by side. Each writes its events and member changes to a table of new entries. Afterwards, one
 * transaction at a time moves the committed entries to the logs and numbers them. So a reader that has read a log up to a
 * number has missed no entry before it. Decision 37 has the reasons.
 */

/** How often new entries are moved without a notification, so that a lost notification only delays them. */
const POLL_MILLIS = 2000

/**
 * How long a call may take after its wait for the calls of other servers, in milliseconds. A call takes some milliseconds,
 * and moves a bounded size of entries; without an answer, the connection is lost.
 */
const ANSWER_MILLIS = 5000

/** PostgreSQL completes a call that has begun. If it were ended, the next one would begin again, and take as long. */
const completeCall: EndBackend = () => {}

/** The schedule for opening a lost connection again. */
const RECONNECT = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.jittered
)

/** Smaller than the number of every transaction. */
const BEFORE_ALL_TRANSACTIONS = "0"

/** The logs of committed entries. */
export interface CommitOrder {
  /** Waits until all entries that are committed now are in the logs. Concurrent callers share the work. */
  readonly settled: Effect.Effect<void, StorageError>
  /** A transaction number. All earlier transactions have ended, and their entries are in the logs. */
  readonly horizon: () => string
  /** Requests to move the committed entries, without waiting for it. */
  readonly wake: () => void
  /** Signals new events in the log, of any process. */
  readonly notifications: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
}

const decodeMoved = Rows.decodeFirst(
  "events",
  Schema.Struct({ horizon: Schema.String, last_event: Schema.Int, has_more: Flag })
)

/** Opens a connection that is notified of new entries. */
const listen = (
  settings: Settings,
  onNews: (last: number) => void,
  onLost: () => void
) => {
  const failed = (cause: unknown) => new SqlFailure({ cause: PostgresFailure.of(cause) })
  return Effect.acquireRelease(
    Effect.try({
      try: () => {
        const client = new Client({ ...clientConfig(settings), query_timeout: settings.lockMillis + ANSWER_MILLIS })
        const configuration = `${settingsStatement(settings)}; LISTEN ${escapeIdentifier(settings.schema)}`
        const connection = new Connection(client, configuration, completeCall)
        client.on("notification", ({ payload }) => onNews(lastEventOf(payload)))
        client.on("end", onLost)
        return { client, connection }
      },
      catch: failed
    }),
    ({ connection }) => Effect.sync(() => connection.close())
  ).pipe(
    // Not in the acquisition, which cannot be interrupted: the database may not answer.
    Effect.flatMap(({ client, connection }) =>
      Effect.async<Connection, SqlFailure>((resume) => {
        const answer = (failure: unknown) =>
          resume(Predicate.isNullable(failure) ? Effect.succeed(connection) : failed(failure))
        client.connect((error: Error | null | undefined) =>
          Predicate.isNullable(error) ? connection.identify(settings.connectMillis, answer) : answer(error)
        )
      })
    ),
    attempt("connect to the database")
  )
}

/** Returns the number of the last event from a notification by `keep_logs`. */
const lastEventOf = (payload: string | undefined): number => Number(payload?.split(" ", 1)[0])

/** Starts to maintain the logs. Opens its connection when it is first needed. */
export const make = (settings: Settings): Effect.Effect<CommitOrder, never, Scope.Scope> =>
  Effect.gen(function*() {
    const appended = yield* Signal.make
    const requests = new LogRequests()
    let last = 0
    let horizon = BEFORE_ALL_TRANSACTIONS
    const log = FailureLog.make("New events wait, because they cannot be numbered", "New events are numbered again")

    const signalUpTo = (event: number) => {
      if (!(event > last)) return
      last = event
      appended.send()
    }
    const onFailure = (error: StorageError) => Effect.zipRight(requests.refuse(error), log.onFailure(error))

    const moveCommitted = (connection: Connection): Effect.Effect<void, StorageError> =>
      Effect.suspend(() => connection.run("SELECT * FROM keep_logs(?)", [horizon])).pipe(
        Effect.flatMap(decodeMoved),
        attempt("number committed events"),
        Effect.flatMap(Option.match({
          onNone: () => Effect.void,
          onSome: (moved) => {
            horizon = moved.horizon
            signalUpTo(moved.last_event)
            return moved.has_more ? moveCommitted(connection) : log.onSuccess
          }
        }))
      )

    const serve = (connection: Connection): Effect.Effect<void, StorageError> => {
      // The database may have been restored: its transactions and events then have other numbers.
      horizon = BEFORE_ALL_TRANSACTIONS
      last = 0
      const whileConnected: Effect.Effect<void, StorageError> = Effect.suspend(() =>
        connection.isLost ? Effect.void : requests.answer(moveCommitted(connection)).pipe(
          Effect.zipRight(requests.next(POLL_MILLIS)),
          Effect.zipRight(Effect.suspend(() => whileConnected))
        )
      )
      return whileConnected
    }

    const connected = Effect.scoped(
      Effect.flatMap(listen(settings, signalUpTo, () => requests.ask()), serve)
    )
    const work = Effect.forever(Effect.retry(Effect.tapError(connected, onFailure), RECONNECT))
    yield* Effect.forkScoped(Effect.withClock(Effect.zipRight(requests.next(), work), realTime))

    return {
      horizon: () => horizon,
      settled: requests.wait,
      wake: () => requests.ask(),
      notifications: Effect.tap(appended.subscribe, () => requests.ask())
    }
  })
