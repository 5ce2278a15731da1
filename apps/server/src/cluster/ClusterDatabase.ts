import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import * as PostgresOptions from "@community-messaging/storage-postgres/PostgresOptions"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { Pool } from "pg"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"

/** Connections of a server: one holds the locks of its shards, the other reads the list of servers. */
const CONNECTIONS = 2

/** How long a statement may take, and wait for others: less than `LOCK_EXPIRATION`. */
const TIMEOUT = Duration.seconds(5)

const APPLICATION = "community-messaging cluster"

/** If two servers create the tables at once, one of them fails, once. */
const RETRIES = Schedule.intersect(Schedule.recurs(5), Schedule.spaced("200 millis"))

/**
 * The URL with the schema of the service for the tables, with timeouts, and in UTC: the cluster stores times without an
 * offset, which would be an hour wrong when the database's zone ends its summer time.
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
 * Connects like the storage. Statements that the cluster sends while another one runs on the same connection are sent at
 * once: pg 9 will no longer queue them.
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
      // The cluster reads values as the driver returns them.
      const { types: _types, ...others } = config
      const pool = new Pool({ ...others, max: CONNECTIONS, application_name: APPLICATION })
      // The pool removes an idle connection that is lost.
      pool.on("error", () => {})
      return pool
    }),
    (pool) => Effect.timeoutOption(Effect.interruptible(Effect.promise(() => pool.end())), TIMEOUT)
  )

/** The connections of the cluster to the database of the service. */
export const client = (database: DatabaseConfiguration) => PgClient.layerFromPool({ acquire: open(database) })

/** The heartbeats of the servers and the owners of the shards, in tables in the schema of the service. */
export const layer = (database: DatabaseConfiguration) =>
  Layer.retry(SqlRunnerStorage.layer, RETRIES).pipe(Layer.provide(client(database)))
