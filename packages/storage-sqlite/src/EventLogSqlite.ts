import { DomainEvent } from "@community-messaging/domain/DomainEvent"
import { EventLog } from "@community-messaging/domain/EventLog"
import { DateTime, Duration, Effect, Equal, Layer, PubSub, Schema } from "effect"
import { column, Instant } from "./Column.ts"
import { realTime } from "./ConnectionSettings.ts"
import { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqliteFailure.ts"

const EventText = Schema.parseJson(DomainEvent)

const encode = Rows.encode("events", EventText)

const EventRow = Schema.Struct({
  sequence: Schema.Int,
  occurredAt: column("occurred_at", Instant),
  event: EventText
})

const decode = Rows.decodeAll("events", EventRow)

/** How often the database is asked whether another process has committed, while somebody waits for events. */
const FOREIGN_COMMITS_INTERVAL = Duration.millis(250)

const DataVersionRow = Schema.Struct({ data_version: Schema.Int })

/** The log of events in SQLite. Transactions that write do not interleave, so that sequence numbers follow the commits. */
export const layer: Layer.Layer<EventLog, never, Database> = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const { afterCommit, sql, write } = yield* Database
    const appended = yield* PubSub.sliding<void>(1)
    const tell = Effect.asVoid(PubSub.publish(appended, undefined))

    /** A number that changes with the commits of other connections alone. */
    const foreignCommits = sql`PRAGMA data_version`.pipe(
      Effect.flatMap(Rows.decodeAll("data_version", DataVersionRow)),
      Effect.map((rows) => rows[0]?.data_version)
    )

    const watchForeignCommits = Effect.iterate(yield* Effect.option(foreignCommits), {
      while: () => true,
      body: (before) =>
        Effect.delay(Effect.option(foreignCommits), FOREIGN_COMMITS_INTERVAL).pipe(
          Effect.tap((now) => Equal.equals(now, before) ? Effect.void : tell)
        )
    })

    return {
      append: (event) =>
        Effect.gen(function*() {
          const text = yield* encode(event)
          const now = yield* DateTime.now
          yield* write(sql`INSERT INTO events (occurred_at, event) VALUES (${DateTime.toEpochMillis(now)}, ${text})`)
          yield* afterCommit(tell)
        }).pipe(attempt("append an event")),
      read: (after, limit) =>
        sql`
          SELECT sequence, occurred_at, event FROM events WHERE sequence > ${after} ORDER BY sequence LIMIT ${limit}
        `.pipe(Effect.flatMap(decode), attempt("read events")),
      subscribe: Effect.zipLeft(
        PubSub.subscribe(appended),
        // Another process commits in real time, whatever clock the program is told.
        Effect.forkScoped(Effect.withClock(watchForeignCommits, realTime))
      ),
      removeBefore: (moment, limit) =>
        write(sql`
          DELETE FROM events WHERE sequence IN (
            SELECT sequence FROM events WHERE occurred_at < ${DateTime.toEpochMillis(moment)}
            ORDER BY occurred_at, sequence LIMIT ${limit}
          ) RETURNING 1
        `).pipe(Effect.map((removed) => removed.length), attempt("remove events"))
    }
  })
)
