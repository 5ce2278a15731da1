import { createdAtMillis } from "@community-messaging/domain/shared-kernel/Snowflake"
import { MAX_WORKERS } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import * as Inspection from "@community-messaging/storage-postgres/Inspection"
import { SCHEMA_VERSION } from "@community-messaging/storage-postgres/Migrations"
import { Clock, Duration, Effect, Option } from "effect"
import * as DatabaseUrl from "../configuration/DatabaseUrl.ts"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"
import * as PostgresStorage from "../storage/PostgresStorage.ts"
import * as DatabaseCheck from "./DatabaseCheck.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"
import * as ProcessCheck from "./ProcessCheck.ts"

/** The oldest version that the PostgreSQL project maintains. */
const MINIMUM_VERSION = 15

/** How far the clocks of a server and the database may differ without a warning. */
const MAX_CLOCK_DIFFERENCE = Duration.toMillis(Duration.seconds(1))

/** How many connections a server has besides its pool. */
const CONNECTIONS_OF_EVENTS = 1

/** How many more connections a server has with `MEMBER_INDEX=sharded`. */
const CONNECTIONS_OF_CLUSTER = 2

type Server = Inspection.Inspection["server"]

const version = ({ versionNumber }: Server): Finding => {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000]
  const found = `PostgreSQL ${major}.${minor}`
  return major >= MINIMUM_VERSION
    ? ok("version", found)
    : problem("version", found, `use PostgreSQL ${MINIMUM_VERSION} or newer`)
}

const location = (text: string, { isReadOnly }: Server): Finding =>
  isReadOnly
    ? problem("database", `${text}: read-only`, "use the URL of the primary server, and a role that may write")
    : ok("database", text)

const encoding = (server: Server): Finding =>
  server.encoding === "UTF8"
    ? ok("encoding", "UTF8")
    : problem("encoding", server.encoding, "create a database with ENCODING 'UTF8', or texts are refused")

/** Whether commits are on the disk before they are acknowledged, by the settings that are off. */
export const durability = (settingsOff: ReadonlyArray<string>): Finding => {
  if (settingsOff.length === 0) return ok("durability", "commits are on the disk before they are acknowledged")
  const found = `${settingsOff.join(" and ")} ${settingsOff.length === 1 ? "is" : "are"} off: a crash`
  return settingsOff.some((name) => name !== "synchronous_commit")
    ? warning("durability", `${found} of the machine may damage the database`, "set them to on in postgresql.conf")
    : warning(
      "durability",
      `${found} of PostgreSQL loses acknowledged writes`,
      "set synchronous_commit to on for the role and the database"
    )
}

const schema = (found: number, name: string, migrate: boolean, { mayCreate }: Server): Finding => {
  const isNew = found === 0
  const versions = isNew
    ? `${name} has no data of this program`
    : `${name} has version ${found}, this program has ${SCHEMA_VERSION}`
  if (found > SCHEMA_VERSION) return problem("schema", versions, "run the newer version that wrote the database")
  if (found === SCHEMA_VERSION) return ok("schema", versions)
  if (!migrate) {
    return problem("schema", versions, "run `community-messaging migrate` with a role that may create tables")
  }
  return mayCreate
    ? warning(
      "schema",
      versions,
      isNew ? "check SCHEMA. The first start creates its tables" : "make a backup: the next start migrates the database"
    )
    : problem("schema", versions, "GRANT CREATE to the role, or run `community-messaging migrate` with one that has it")
}

const clocks = (lead: number): Finding => {
  const found = `this machine is ${Math.abs(lead)} ms ${lead < 0 ? "behind" : "ahead of"} the database`
  return Math.abs(lead) <= MAX_CLOCK_DIFFERENCE
    ? ok("clocks", found)
    : warning("clocks", found, "synchronise the clocks: ids and due work have the times of this machine")
}

const RAISE_CONNECTIONS = "lower POOL_SIZE, or raise max_connections and the limits of the role and of the database"

const connections = (
  { freeConnections, maxConnections }: Server,
  { poolSize }: DatabaseConfiguration,
  isSharded: boolean
): Finding => {
  const found = `${freeConnections} of ${maxConnections} are free, POOL_SIZE is ${poolSize} for each server`
  const needed = poolSize + CONNECTIONS_OF_EVENTS + (isSharded ? CONNECTIONS_OF_CLUSTER : 0)
  if (needed > maxConnections) return problem("connections", found, RAISE_CONNECTIONS)
  return needed > freeConnections
    ? warning("connections", found, `if no server runs yet here, ${RAISE_CONNECTIONS}`)
    : ok("connections", found)
}

const POOLED = problem(
  "connections",
  "a pooler in transaction mode answers: each transaction may have another session of PostgreSQL",
  "use the pooler in session mode, or the URL of PostgreSQL itself"
)

const rights = (server: Server, isSharded: boolean): Finding => {
  const { forbidden, forbiddenFunctions, forbiddenSequences, mayCreate } = server
  if (forbidden.length > 0) {
    return problem(
      "rights",
      `the role cannot read and write ${forbidden.join(", ")}`,
      "GRANT USAGE ON SCHEMA to the role, and SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA"
    )
  }
  if (forbiddenFunctions.length > 0) {
    return problem(
      "rights",
      `the role cannot run ${forbiddenFunctions.join(", ")}`,
      "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA to the role"
    )
  }
  if (isSharded && !mayCreate) {
    return problem(
      "rights",
      "the role cannot create tables, which MEMBER_INDEX=sharded needs",
      "GRANT CREATE ON SCHEMA to the role"
    )
  }
  return forbiddenSequences.length > 0
    ? warning(
      "rights",
      `the role cannot read ${forbiddenSequences.join(", ")}: without stored events, an event stream begins with id 0`,
      "GRANT SELECT ON ALL SEQUENCES IN SCHEMA to the role"
    )
    : ok("rights", "the role can read and write all tables, and run the functions")
}

/** Checks the PostgreSQL database without changing it. */
export const database = (
  configuration: DatabaseConfiguration,
  { migrate, snowflakeEpoch }: { readonly migrate: boolean; readonly snowflakeEpoch: number },
  isSharded: boolean
) =>
  Effect.gen(function*() {
    yield* PostgresStorage.requireFiles(configuration)
    const { clockLead, content, schemaVersion, server } = yield* Inspection.inspect(configuration)
    const isPooled = yield* Inspection.sharesProcesses(configuration)
    const now = yield* Clock.currentTimeMillis
    return [
      location(DatabaseUrl.location(configuration.url), server),
      version(server),
      encoding(server),
      durability(server.durabilityOff),
      ...Option.toArray(schemaVersion).map((found) => schema(found, configuration.schema, migrate, server)),
      clocks(clockLead),
      isPooled ? POOLED : connections(server, configuration, isSharded),
      rights(server, isSharded),
      ...Option.toArray(content).flatMap(({ epoch, freeWorkers, largestId }) => [
        ...DatabaseCheck.epoch(Option.fromNullable(epoch), snowflakeEpoch),
        ...epoch === null || largestId === null
          ? []
          : [DatabaseCheck.clock(createdAtMillis(largestId, epoch), now)],
        ProcessCheck.workers(MAX_WORKERS - freeWorkers)
      ])
    ]
  }).pipe(
    Effect.catchTag("StorageError", (error) => Effect.fail(PostgresStorage.unusable(configuration, error))),
    Effect.catchTag("DatabaseUnusable", (error) =>
      Effect.succeed([
        problem("database", `${error.location}: ${error.reason}`, "check DATABASE_URL, and that the database runs")
      ]))
  )
