import { SqlRunnerStorage } from "@effect/cluster"
import { PgClient } from "@effect/sql-pg"
import { Layer, Redacted, Schedule } from "effect"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"

/** Connections of a server: one keeps the locks of its shards, the other one asks which servers there are. */
const CONNECTIONS = 2

/** Tables that two servers create at once are an error for one of them, once. */
const RETRIES = Schedule.intersect(Schedule.recurs(5), Schedule.spaced("200 millis"))

/** The URL with the schema of the service as the place of tables. */
const inSchema = ({ schema, url }: DatabaseConfiguration): Redacted.Redacted => {
  const own = new URL(Redacted.value(url))
  const options = own.searchParams.get("options")
  own.searchParams.set("options", `${options === null ? "" : `${options} `}-c search_path=${schema}`)
  return Redacted.make(own.href)
}

/** Where the servers of a cluster tell that they live, and which shards they have: tables in the schema of the service. */
export const layer = (database: DatabaseConfiguration) =>
  Layer.retry(SqlRunnerStorage.layer, RETRIES).pipe(
    Layer.provide(PgClient.layer({
      url: inSchema(database),
      maxConnections: CONNECTIONS,
      applicationName: "community-messaging cluster"
    }))
  )
