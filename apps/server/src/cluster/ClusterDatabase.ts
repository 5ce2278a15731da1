import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import * as PostgresOptions from "@community-messaging/storage-postgres/PostgresOptions"
import { SqlRunnerStorage } from "@effect/cluster"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { Pool } from "pg"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"

/** Connections of a server: one keeps the locks of its shards, the other one asks which servers there are. */
const CONNECTIONS = 2

/** How long a statement may take, and wait for others: less than a server may be silent before it is replaced. */
const TIMEOUT = Duration.seconds(5)

const APPLICATION = "community-messaging cluster"

/** Tables that two servers create at once are an error for one of them, once. */
const RETRIES = Schedule.intersect(Schedule.recurs(5), Schedule.spaced("200 millis"))

/**
 * The URL with the schema of the service as the place of tables, and with timeouts. The cluster stores times without an offset,
 * which are an hour wrong when a zone of the database leaves its summer time.
 */
const configured = ({ schema, url }: DatabaseConfiguration): Redacted.Redacted => {
  const own = new URL(Redacted.value(url))
  const given = own.searchParams.get("options")
  const milliseconds = Duration.toMillis(TIMEOUT)
  const settings = [
    `search_path=${schema}`,
    "TimeZone=UTC",
    `statement_timeout=${milliseconds}`,
    `lock_timeout=${milliseconds}`,
    `idle_in_transaction_session_timeout=${milliseconds}`
  ].map((setting) => `-c ${setting}`)
  own.searchParams.set("options", [...given === null ? [] : [given], ...settings].join(" "))
  return Redacted.make(own.href)
}

/**
 * Connects as the storage does. Statements that the cluster sends while another one runs on the same connection leave at
 * once: the driver does not queue them for much longer (pg 9).
 */
const open = (database: DatabaseConfiguration) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const config = ConnectionPool.clientConfig(
        PostgresOptions.settingsOf({
          ...database,
          url: configured(database),
          connectTimeout: TIMEOUT,
          statementTimeout: TIMEOUT
        })
      )
      // The cluster reads values as the driver gives them.
      const { types: _types, ...others } = config
      const pool = new Pool({ ...others, max: CONNECTIONS, application_name: APPLICATION })
      // A connection that is lost while nobody uses it leaves the pool.
      pool.on("error", () => {})
      return pool
    }),
    (pool) => Effect.timeoutOption(Effect.interruptible(Effect.promise(() => pool.end())), TIMEOUT)
  )

/** The connections of the cluster to the database of the service. */
export const client = (database: DatabaseConfiguration) => PgClient.layerFromPool({ acquire: open(database) })

/** Where the servers of a cluster tell that they live, and which shards they have: tables in the schema of the service. */
export const layer = (database: DatabaseConfiguration) =>
  Layer.retry(SqlRunnerStorage.layer, RETRIES).pipe(Layer.provide(client(database)))
