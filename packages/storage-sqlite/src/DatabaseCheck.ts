import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { MIGRATIONS_TABLE } from "@community-messaging/storage-sql/SchemaVersion"
import type SqliteDriver from "better-sqlite3"
import { Effect, Predicate, Schema } from "effect"
import { open } from "./DatabaseFile.ts"
import { MIGRATION_NAMES, SCHEMA_VERSION, UnknownSchemaVersion } from "./Migrations.ts"

/** The file is not an intact database of this program. */
export class DatabaseInvalid extends Schema.TaggedError<DatabaseInvalid>()("DatabaseInvalid", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

const NOT_OF_THIS_PROGRAM = "it is not a database of this program"

const messageOf = (cause: unknown): string => Predicate.isError(cause) ? cause.message : String(cause)

const query = (driver: SqliteDriver.Database, text: string) =>
  Effect.try({
    try: (): ReadonlyArray<unknown> => driver.prepare(text).all(),
    catch: (cause) =>
      new DatabaseInvalid({
        reason: Predicate.hasProperty(cause, "code") && cause.code === "SQLITE_NOTADB"
          ? NOT_OF_THIS_PROGRAM
          : `it is damaged: ${messageOf(cause)}`
      })
  })

const decodeTables = Rows.decodeAll("sqlite_schema", Schema.Struct({ name: Schema.String }))
const decodeMigrations = Rows.decodeAll(MIGRATIONS_TABLE, Schema.Struct({ id: Schema.Int, name: Schema.String }))
const decodeProblems = Rows.decodeAll("integrity_check", Schema.Struct({ integrity_check: Schema.String }))

const checkMigrations = (driver: SqliteDriver.Database) =>
  Effect.gen(function*() {
    const tables = yield* decodeTables(
      yield* query(driver, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name = '${MIGRATIONS_TABLE}'`)
    )
    if (tables.length === 0) return yield* new DatabaseInvalid({ reason: NOT_OF_THIS_PROGRAM })
    const migrations = yield* decodeMigrations(
      yield* query(
        driver,
        `SELECT migration_id AS id, name FROM ${MIGRATIONS_TABLE} WHERE migration_id > 0 ORDER BY migration_id`
      )
    )
    const version = migrations.at(-1)?.id ?? 0
    if (version > SCHEMA_VERSION) return yield* new UnknownSchemaVersion({ found: version, known: SCHEMA_VERSION })
    const isOurs = version > 0 && migrations.every(({ id, name }) => MIGRATION_NAMES[id - 1] === name)
    if (!isOurs) return yield* new DatabaseInvalid({ reason: NOT_OF_THIS_PROGRAM })
    return version
  })

const checkIntegrity = (driver: SqliteDriver.Database) =>
  Effect.gen(function*() {
    const problems = yield* decodeProblems(yield* query(driver, "PRAGMA integrity_check(1)"))
    const first = problems.at(0)?.integrity_check ?? "the check has no result"
    if (first !== "ok") return yield* new DatabaseInvalid({ reason: `it is damaged: ${first}` })
  })

/** Like `check`, but fast: reads only the version. */
export const identify = (
  filename: string
): Effect.Effect<number, DatabaseInvalid | UnknownSchemaVersion | StorageError> =>
  Effect.scoped(Effect.flatMap(open(filename, { readonly: true }), checkMigrations))

/**
 * Checks that the file is a database of this program or of an older version of it, and that every page and every index
 * is intact. Reads the whole file. Returns the version of its schema.
 */
export const check = (
  filename: string
): Effect.Effect<number, DatabaseInvalid | UnknownSchemaVersion | StorageError> =>
  Effect.scoped(
    Effect.flatMap(
      open(filename, { readonly: true }),
      (driver) => Effect.zipLeft(checkMigrations(driver), checkIntegrity(driver))
    )
  )
