import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import { Effect, Option, Schema } from "effect"
import type { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import { Fragment, type Sql } from "./Statements.ts"

/** The tables whose primary key is a snowflake. */
export const SNOWFLAKE_TABLES = [
  "applications",
  "channels",
  "credentials",
  "guilds",
  "messages",
  "roles",
  "scheduled_messages",
  "users",
  "webhooks"
]

const decodeIds = Rows.decodeAll("all tables", Schema.Struct({ id: Snowflake.Snowflake }))

const decodeEpoch = Rows.decodeFirst("snowflake_epoch", Schema.Struct({ unix_millis: Schema.Int }))

/** The part of `SnowflakeHistory` that reads. */
export const reads = (sql: Sql): Omit<SnowflakeHistory["Type"], "storeEpoch"> => ({
  largestUpTo: (bound) =>
    Effect.forEach(SNOWFLAKE_TABLES, (table) =>
      sql`
        SELECT CAST(id AS TEXT) AS id FROM ${new Fragment(table)} WHERE id <= ${bound}
        ORDER BY ${new Fragment(table)}.id DESC LIMIT 1
      `).pipe(
        Effect.flatMap((rows) => decodeIds(rows.flat())),
        Effect.map((rows) => Option.fromNullable(rows.map(({ id }) => id).toSorted(Snowflake.compare).at(-1))),
        attempt("find the largest id")
      ),
  epoch: sql`SELECT unix_millis FROM snowflake_epoch`.pipe(
    Effect.flatMap(decodeEpoch),
    Effect.map(Option.map(({ unix_millis }) => unix_millis)),
    attempt("read the epoch of ids")
  )
})

/** `SnowflakeHistory` in SQL. */
export const make = ({ sql, write }: typeof Database.Service): typeof SnowflakeHistory.Service => {
  const history = reads(sql)
  return {
    ...history,
    storeEpoch: (given) =>
      write(
        Effect.zipRight(
          sql`INSERT INTO snowflake_epoch (id, unix_millis) VALUES (1, ${given}) ON CONFLICT (id) DO NOTHING`,
          history.epoch
        )
      ).pipe(
        Effect.map(Option.getOrElse(() => given)),
        attempt("store the epoch of ids")
      )
  }
}
