import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { attempt, SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { Clock, Deferred, Effect, type Exit, Option, PubSub, type Queue, Schedule, Schema, type Scope } from "effect"
import { Client, escapeIdentifier } from "pg"
import { Connection, preparedStatements } from "./Connection.ts"
import { clientConfig, settingsStatement } from "./ConnectionPool.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import type { Settings } from "./PostgresOptions.ts"

/*
 * Units of work commit side by side. Each writes its events and member changes to a table of news; afterwards one
 * transaction at a time moves what is committed to the logs, and numbers it. So whoever reads a log up to a number has
 * seen everything before it. Decision 37 has the reasons.
 */

/** How often the logs are looked at without a notification: a lost one only delays. */
const POLL_MILLIS = 2000

/** How soon a lost connection is opened again. */
const RECONNECT = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.jittered
)

/** The real clock. Other processes take real time, even under a test clock. */
const realTime = Clock.make()

/** Less than the number of every transaction. */
const BEFORE_ALL_TRANSACTIONS = "0"

/** The logs of what is committed. */
export interface CommitOrder {
  /** Waits until everything that is committed now is in the logs. Many who wait at a time share the work. */
  readonly settled: Effect.Effect<void, StorageError>
  /** A transaction before which all have ended, and what they wrote is in the logs. */
  readonly horizon: () => string
  /** Moves soon what is committed now. Nobody waits for it. */
  readonly wake: () => void
  /** Signals new events in the log, of whichever process. */
  readonly notifications: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
}

const decodeMoved = Rows.decodeFirst(
  "events",
  Schema.Struct({ horizon: Schema.String, last_event: Schema.Int })
)

type Waiter = Deferred.Deferred<void, StorageError>

/** What is to be done next, for the one fiber that does it. */
class Requests {
  waiters: Array<Waiter> = []
  #isAsked = false
  #onAsked = () => {}

  ask(): void {
    this.#isAsked = true
    this.#onAsked()
  }

  /** Waits until somebody asks, or for so long. */
  next(millis: number): Effect.Effect<void> {
    return Effect.async((resume) => {
      const goOn = () => {
        clearTimeout(timer)
        this.#onAsked = () => {}
        resume(Effect.void)
      }
      const timer = setTimeout(goOn, millis)
      this.#onAsked = goOn
      if (this.#isAsked) goOn()
      return Effect.sync(() => clearTimeout(timer))
    })
  }

  /** Takes over all who wait until now. */
  take(): ReadonlyArray<Waiter> {
    const taken = this.waiters
    this.waiters = []
    this.#isAsked = false
    return taken
  }
}

/** Opens a connection that is told of new entries. */
const listen = (settings: Settings, onNews: (last: number) => void, onLost: () => void) =>
  Effect.acquireRelease(
    attempt("connect to the database")(Effect.tryPromise({
      try: async () => {
        const client = new Client(clientConfig(settings))
        const configuration = `${settingsStatement(settings)}; LISTEN ${escapeIdentifier(settings.schema)}`
        const connection = new Connection(client, preparedStatements(), configuration)
        client.on("notification", ({ payload }) => onNews(Number(payload)))
        client.on("end", onLost)
        await client.connect()
        return connection
      },
      catch: (cause) => new SqlFailure({ cause: PostgresFailure.of(cause) })
    })),
    (connection) => Effect.sync(() => connection.close())
  )

/** Starts to keep the logs. Its connection is opened when it is first needed. */
export const make = (settings: Settings): Effect.Effect<CommitOrder, never, Scope.Scope> =>
  Effect.gen(function*() {
    const published = yield* PubSub.sliding<void>(1)
    const requests = new Requests()
    let last = 0
    let horizon = BEFORE_ALL_TRANSACTIONS

    const tellOf = (event: number) => {
      if (!(event > last)) return
      last = event
      published.unsafeOffer(undefined)
    }

    const serve = (connection: Connection, isLost: () => boolean) => {
      // The database may have been restored.
      horizon = BEFORE_ALL_TRANSACTIONS
      const move = Effect.suspend(() => connection.run("SELECT * FROM keep_logs(?)", [horizon])).pipe(
        Effect.flatMap(decodeMoved),
        attempt("number what is committed"),
        Effect.map(Option.match({
          onNone: () => {},
          onSome: (moved) => {
            horizon = moved.horizon
            tellOf(moved.last_event)
          }
        }))
      )
      const step = Effect.suspend(() => {
        const waiters = requests.take()
        const answer = (exit: Exit.Exit<void, StorageError>) =>
          Effect.forEach(waiters, (waiter) => Deferred.done(waiter, exit), { discard: true })
        return Effect.onExit(move, answer)
      })
      const whileConnected: Effect.Effect<void, StorageError> = Effect.suspend(() =>
        isLost() ? Effect.void : Effect.zipRight(
          step,
          Effect.zipRight(requests.next(POLL_MILLIS), Effect.suspend(() => whileConnected))
        )
      )
      return whileConnected
    }

    const connected = Effect.scoped(Effect.suspend(() => {
      let isLost = false
      const connection = listen(settings, tellOf, () => {
        isLost = true
        requests.ask()
      })
      return Effect.flatMap(connection, (opened) => serve(opened, () => isLost))
    }))
    const failWaiting = (error: StorageError) =>
      Effect.forEach(requests.take(), (waiter) => Deferred.fail(waiter, error), { discard: true })

    const work = Effect.tapError(connected, failWaiting).pipe(
      Effect.retry(RECONNECT),
      Effect.forever,
      Effect.withClock(realTime)
    )
    const start = yield* Effect.cached(Effect.forkIn(work, yield* Effect.scope))

    return {
      horizon: () => horizon,
      settled: Effect.flatMap(Deferred.make<void, StorageError>(), (waiter) => {
        requests.waiters.push(waiter)
        requests.ask()
        return Effect.zipRight(start, Deferred.await(waiter))
      }),
      wake: () => requests.ask(),
      notifications: Effect.zipLeft(PubSub.subscribe(published), start)
    }
  })
