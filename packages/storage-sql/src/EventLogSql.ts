import { DomainEvent, isDomainEvent } from "@community-messaging/domain/event/DomainEvent"
import type { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Effect, Either, Schema } from "effect"
import { column, Instant, json } from "./Column.ts"
import type { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"

const EventText = json(DomainEvent)

const encode = Rows.encode("events", EventText)

const EventRow = Schema.Struct({
  sequence: Schema.Int,
  occurredAt: column("occurred_at", Instant),
  event: EventText
})

const decode = Rows.decodeAll("events", EventRow)

const decodeNumber = Rows.decodeInteger("events")

/** The number of the last event; 0 if there is none. */
const lastStored = ({ settled, sql }: Pick<typeof Database.Service, "settled" | "sql">) =>
  Effect.zipRight(
    settled,
    sql`SELECT sequence AS value FROM events WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1`
  ).pipe(Effect.flatMap(decodeNumber))

/** The end of a log without events: all are removed, or none was appended yet. */
const endOfEmpty = ({ dialect, settled, sql }: Pick<typeof Database.Service, "dialect" | "settled" | "sql">) =>
  Effect.zipWith(
    Effect.flatMap(sql`${dialect.lastEventNumber}`, decodeNumber),
    // The read above may return the number of an event that is not committed yet. This read waits for its commit or rollback.
    lastStored({ settled, sql }),
    (given, stored) => stored > 0 ? stored : given
  )

/** The log of events in SQL. The database numbers them in the order of commits. */
export const make = (
  { dialect, notifications, notify, send, settled, sql, write }: typeof Database.Service
): typeof EventLog.Service => ({
  append: (event) => {
    if (!isDomainEvent(event)) return new StorageError({ operation: "append an event: its type is unknown" })
    const text = encode(event)
    if (Either.isLeft(text)) return text
    const insert = Effect.clockWith((clock) =>
      send`INSERT INTO ${dialect.newEvents} (occurred_at, event) VALUES (${clock.unsafeCurrentTimeMillis()}, ${text.right})`
    )
    return attempt("append an event")(write(Effect.zipRight(insert, notify)))
  },
  read: (after, limit) =>
    Effect.zipRight(
      settled,
      sql`
        SELECT sequence, occurred_at, event FROM events WHERE sequence > ${after} ORDER BY sequence LIMIT ${limit}
      `
    ).pipe(Effect.flatMap(decode), attempt("read events")),
  end: lastStored({ settled, sql }).pipe(
    Effect.filterOrElse((last) => last > 0, () => endOfEmpty({ dialect, settled, sql })),
    attempt("find the end of the events")
  ),
  subscribe: notifications,
  removeBefore: (moment, limit) =>
    write(sql`
        WITH expired AS MATERIALIZED (
          SELECT sequence FROM events WHERE occurred_at < ${DateTime.toEpochMillis(moment)}
          ORDER BY occurred_at, sequence LIMIT ${limit} ${dialect.skipLocked}
        )
        DELETE FROM events WHERE sequence IN (SELECT expired.sequence FROM expired) RETURNING 1
      `).pipe(Effect.map((removed) => removed.length), attempt("remove events"))
})
