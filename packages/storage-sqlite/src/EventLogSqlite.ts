import { DomainEvent } from "@community-messaging/domain/DomainEvent"
import { EventLog } from "@community-messaging/domain/EventLog"
import { DateTime, Effect, Layer, Schema } from "effect"
import { column, Instant } from "./Column.ts"
import { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqliteFailure.ts"

const EventText = Schema.parseJson(DomainEvent)

const EventRow = Schema.Struct({
  sequence: Schema.Int,
  occurredAt: column("occurred_at", Instant),
  event: EventText
})

/** The log of events in SQLite. Transactions that write do not interleave, so that sequence numbers follow the commits. */
export const layer: Layer.Layer<EventLog, never, Database> = Layer.effect(
  EventLog,
  Effect.map(Database, ({ sql, write }) => ({
    append: (event) =>
      Effect.gen(function*() {
        const text = yield* Effect.mapError(Schema.encode(EventText)(event), Rows.misfit("write a row of events"))
        const now = yield* DateTime.now
        yield* write(sql`INSERT INTO events (occurred_at, event) VALUES (${DateTime.toEpochMillis(now)}, ${text})`)
      }).pipe(attempt("append an event")),
    read: (after, limit) =>
      sql`
        SELECT sequence, occurred_at, event FROM events WHERE sequence > ${after} ORDER BY sequence LIMIT ${limit}
      `.pipe(Effect.flatMap(Rows.decodeAll("events", EventRow)), attempt("read events"))
  }))
)
