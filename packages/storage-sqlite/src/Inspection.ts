import { MAX_SNOWFLAKE, Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import * as SnowflakeHistorySql from "@community-messaging/storage-sql/SnowflakeHistorySql"
import { attempt, SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import * as Statements from "@community-messaging/storage-sql/Statements"
import { Effect, Option, Schema } from "effect"
import { accessSync, constants, existsSync } from "node:fs"
import { Connector } from "./Connection.ts"
import { DEFAULT_LOCK_TIMEOUT, isIncremental } from "./ConnectionSettings.ts"
import { SCHEMA_VERSION, versionOf } from "./Migrations.ts"

/** The properties of a database file. */
export interface Inspection {
  /** The damage that SQLite's quick check finds, at most ten lines. Nothing else is read from a damaged file. */
  readonly damages: ReadonlyArray<string>
  /** The version of its schema; 0 if it has none yet. None if it is damaged. */
  readonly schemaVersion: Option.Option<number>
  /** Whether free pages can be returned to the file system. If not, a start or `migrate` has to rewrite the file. */
  readonly isIncremental: boolean
  /** The epoch of its ids, as Unix milliseconds. None if it is damaged or has another version. */
  readonly epoch: Option.Option<number>
  /** Its largest id. None if it has none, is damaged or has another version. */
  readonly largestId: Option.Option<Snowflake>
}

const NOTHING = { isIncremental: true, schemaVersion: Option.none(), epoch: Option.none(), largestId: Option.none() }

const MAX_DAMAGES = 10

const decodeDamages = Rows.decodeAll("quick_check", Schema.Struct({ quick_check: Schema.String }))

/**
 * Returns whether the connection must be opened read-only. SQLite creates a write-ahead log for the first connection, and
 * only a connection that can write removes the log again. If a log exists, after a crash or for other connections, the
 * connection must not change it.
 */
const mustOnlyRead = (filename: string) => Effect.sync(() => existsSync(`${filename}-wal`) || !existsSync(filename))

/** SQLite would create a write-ahead log with the same mode, which stays and cannot be written later. */
const requireWritable = (filename: string) =>
  Effect.try({
    try: () => existsSync(filename) && accessSync(filename, constants.W_OK),
    catch: (cause) => new SqlFailure({ cause })
  })

/**
 * Inspects the file without changing it, also while servers use it. The quick check reads the whole file. Fails if the file
 * is not an SQLite database or cannot be read.
 */
export const inspect = (filename: string): Effect.Effect<Inspection, StorageError> =>
  Effect.gen(function*() {
    yield* requireWritable(filename)
    const { open } = yield* Connector
    const readonly = yield* mustOnlyRead(filename)
    const connection = yield* open({ filename, readonly, busyTimeout: DEFAULT_LOCK_TIMEOUT })
    const { run } = connection
    yield* run("PRAGMA query_only = ON", [])
    const checked = yield* decodeDamages(yield* run(`PRAGMA quick_check(${MAX_DAMAGES})`, []))
    const damages = checked.map(({ quick_check }) => quick_check).filter((line) => line !== "ok")
    if (damages.length > 0) return { ...NOTHING, damages }
    const version = yield* versionOf(run)
    const { epoch, largestUpTo } = SnowflakeHistorySql.reads(Statements.make(run))
    const ids = version === SCHEMA_VERSION && {
      epoch: yield* epoch,
      largestId: yield* largestUpTo(Snowflake.make(MAX_SNOWFLAKE.toString()))
    }
    const canFree = yield* isIncremental(connection)
    return { ...NOTHING, ...ids, damages, isIncremental: canFree, schemaVersion: Option.some(version) }
  }).pipe(
    attempt("inspect the database"),
    Effect.scoped
  )
