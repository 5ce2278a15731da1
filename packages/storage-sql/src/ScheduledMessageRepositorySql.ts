import { ScheduledMessage, ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import {
  ScheduledMessageConflict,
  type ScheduledMessageRepository
} from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import {
  mayChange,
  ScheduledMessageStatus,
  UNDELIVERED
} from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { DateTime, Effect, Schema } from "effect"
import { column, Instant, json, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import { lowerBound } from "./Paging.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import { listOf } from "./Statements.ts"
import * as Table from "./Table.ts"

const ScheduledMessageRow = Schema.Struct({
  id: ScheduledMessage.fields.id,
  authorId: column("author_id", ScheduledMessage.fields.authorId),
  channelId: column("channel_id", ScheduledMessage.fields.channelId),
  scheduledAt: column("scheduled_at", Instant),
  scheduledLocalAt: column("scheduled_local_at", ScheduledMessage.fields.scheduledLocalAt),
  timezone: ScheduledMessage.fields.timezone,
  status: ScheduledMessage.fields.status,
  statusReason: nullable("status_reason", Schema.String),
  payload: json(ScheduledMessage.fields.payload),
  createdAt: column("created_at", Instant),
  invalidatedAt: nullable("invalidated_at", Instant),
  attempts: Schema.NonNegativeInt,
  nextAttemptAt: nullable("next_attempt_at", Instant),
  endedAt: nullable("ended_at", Instant)
})

const anyOf = (statuses: ReadonlyArray<ScheduledMessageStatus>) => listOf(statuses, ScheduledMessageStatus.literals)

const IdRow = Schema.Struct({ id: ScheduledMessageId }).pipe(Schema.pluck("id"))

const ClaimedRow = Schema.Struct({
  id: ScheduledMessageId,
  authorId: ScheduledMessageRow.fields.authorId,
  dueAt: column("due_at", Schema.Int)
})

const bySoonest = (self: typeof ClaimedRow.Type, that: typeof ClaimedRow.Type): number =>
  self.dueAt - that.dueAt || Snowflake.compare(self.id, that.id)

/** `ScheduledMessageRepository` in SQL. */
export const make = (
  { dialect, send, sql, write }: typeof Database.Service
): typeof ScheduledMessageRepository.Service => {
  const messages = Table.make({ send, sql }, {
    name: "scheduled_messages",
    row: ScheduledMessageRow,
    snowflakes: ["id", "author_id", "channel_id"]
  })
  return {
    find: (id) => attempt("find a scheduled message")(messages.first`WHERE id = ${id}`),
    insert: (message) => write(attempt("insert a scheduled message")(messages.insert(message))),
    update: (message, expected) => {
      const conflict = new ScheduledMessageConflict({ scheduledMessageId: message.id, expected })
      if (!mayChange(expected, message.status)) return conflict
      return messages.changes(message).pipe(
        Effect.flatMap((changes) =>
          write(sql`
            UPDATE scheduled_messages SET ${changes}, leased_until = NULL
            WHERE id = ${message.id} AND status = ${expected} RETURNING 1
          `)
        ),
        attempt("update a scheduled message"),
        Effect.filterOrFail((updated) => updated.length > 0, () => conflict),
        Effect.asVoid
      )
    },
    undelivered: (authorId) =>
      attempt("list undelivered scheduled messages")(messages.all`
        WHERE author_id = ${authorId} AND status IN ${anyOf(UNDELIVERED)} ORDER BY scheduled_at, scheduled_messages.id
      `),
    inStatus: ({ authorId, limit, statuses }) =>
      attempt("list scheduled messages by status")(messages.all`
        WHERE author_id = ${authorId} AND status IN ${anyOf(statuses)}
        ORDER BY scheduled_at DESC, scheduled_messages.id DESC LIMIT ${limit}
      `),
    list: (page) => attempt("list scheduled messages")(messages.page(page)),
    pending: ({ after, limit }) =>
      sql`
        SELECT CAST(id AS TEXT) AS id FROM scheduled_messages WHERE status = 'pending' AND id > ${lowerBound(after)}
        ORDER BY scheduled_messages.id LIMIT ${limit}
      `.pipe(
        Effect.flatMap(Rows.decodeAll("scheduled_messages", IdRow)),
        attempt("list pending scheduled messages")
      ),
    // In the order of the index: any other one would sort all due messages for each claim.
    claimDue: ({ leaseUntil, limit, now }) =>
      write(sql`
        WITH due AS MATERIALIZED (
          SELECT scheduled_messages.id FROM scheduled_messages WHERE claimable_at <= ${DateTime.toEpochMillis(now)}
          ORDER BY claimable_at LIMIT ${limit} ${dialect.skipLocked}
        )
        UPDATE scheduled_messages SET leased_until = ${DateTime.toEpochMillis(leaseUntil)}
        WHERE id IN (SELECT due.id FROM due)
        RETURNING CAST(id AS TEXT) AS id, CAST(author_id AS TEXT) AS author_id, due_at
      `).pipe(
        Effect.flatMap(Rows.decodeAll("scheduled_messages", ClaimedRow)),
        Effect.map((claimed) => claimed.toSorted(bySoonest).map(({ authorId, id }) => ({ id, authorId }))),
        attempt("claim due scheduled messages")
      ),
    nextDueAt: sql`
      SELECT claimable_at AS at FROM scheduled_messages WHERE claimable_at IS NOT NULL ORDER BY claimable_at LIMIT 1
    `.pipe(
      Effect.flatMap(Rows.decodeMoment("scheduled_messages")),
      attempt("find the next due scheduled message")
    ),
    countDue: (now, limit) =>
      sql`
        SELECT count(*) AS value FROM (
          SELECT 1 FROM scheduled_messages WHERE claimable_at <= ${DateTime.toEpochMillis(now)} LIMIT ${limit}
        ) AS subquery
      `.pipe(Effect.flatMap(Rows.decodeInteger("scheduled_messages")), attempt("count due scheduled messages")),
    removeEndedBefore: (moment, limit) =>
      write(sql`
        WITH ended AS MATERIALIZED (
          SELECT scheduled_messages.id FROM scheduled_messages WHERE ended_at < ${DateTime.toEpochMillis(moment)}
          ORDER BY ended_at LIMIT ${limit} ${dialect.skipLocked}
        )
        DELETE FROM scheduled_messages WHERE id IN (SELECT ended.id FROM ended) RETURNING 1
      `).pipe(
        Effect.map((removed) => removed.length),
        attempt("remove ended scheduled messages")
      )
  }
}
