import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import * as PostgresOptions from "@community-messaging/storage-postgres/PostgresOptions"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, Duration, Effect, Layer, Option, Redacted, Schedule } from "effect"
import { Pool } from "pg"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"

/** A server without a heartbeat in the database for this time is replaced. */
export const LOCK_EXPIRATION = Duration.seconds(6)

/** The names of the cluster's tables begin with this. */
const PREFIX = "cluster"

/** The interval in which rows with times in the future are removed. */
const REMOVAL_INTERVAL = Duration.seconds(5)

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

/**
 * Removes rows with times in the future, from before the database's clock went back, such as at a failover. Running servers
 * write theirs again; those of killed ones would be valid until the clock reaches their times.
 */
const removeFutureRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const latest = sql`NOW() + make_interval(secs => ${Duration.toSeconds(LOCK_EXPIRATION)})`
  yield* sql`DELETE FROM ${sql(`${PREFIX}_runners`)} WHERE last_heartbeat > ${latest}`
  yield* sql`DELETE FROM ${sql(`${PREFIX}_locks`)} WHERE acquired_at > ${latest}`
})

const keepRemoving = removeFutureRows.pipe(
  // During an outage of the database, the cluster logs its own failures.
  Effect.ignore,
  Effect.delay(REMOVAL_INTERVAL),
  Effect.forever,
  Effect.forkScoped
)

/** The cluster dies with the error of its first connection, such as one that the database refuses. Makes it a failure. */
const withFailures = <A, E, R>(cluster: Layer.Layer<A, E, R>) =>
  Layer.catchAllCause(cluster, (cause): Layer.Layer<unknown, E | SqlError> => {
    const defect = Option.getOrUndefined(Cause.dieOption(cause))
    return defect instanceof SqlError ? Layer.fail(defect) : Layer.failCause(cause)
  })

/**
 * The heartbeats of the servers and the owners of the shards, in tables in the schema of the service. Fails if the role may
 * not remove their rows, such as if they belong to another role.
 */
export const layer = (database: DatabaseConfiguration) =>
  Layer.scopedDiscard(Effect.zipRight(removeFutureRows, keepRemoving)).pipe(
    Layer.provideMerge(Layer.retry(withFailures(SqlRunnerStorage.layerWith({ prefix: PREFIX })), RETRIES)),
    Layer.provide(client(database))
  )
