import { Effect, Schema } from "effect"
import * as Rows from "./Rows.ts"
import type { Run } from "./Units.ts"

/** The table of completed migrations. Its name does not conflict with tables of an embedding application. */
export const MIGRATIONS_TABLE = "community_messaging_migrations"

/** A newer version of this program wrote the database. */
export class UnknownSchemaVersion extends Schema.TaggedError<UnknownSchemaVersion>()("UnknownSchemaVersion", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message(): string {
    return `The database has schema version ${this.found}, but this program supports versions up to ${this.known}. ` +
      "A newer version of the program wrote it: run that version, or restore an older backup."
  }
}

/** The schema has an older version or does not exist, and must not be migrated. */
export class SchemaNotMigrated extends Schema.TaggedError<SchemaNotMigrated>()("SchemaNotMigrated", {
  /** The file, or the name of the schema in the database. */
  schema: Schema.String,
  /** 0 if it does not exist. */
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message(): string {
    return this.found === 0
      ? `This program has stored nothing in ${this.schema} yet, but needs schema version ${this.known} there.`
      : `The schema ${this.schema} of the database has version ${this.found}, but this program needs version ` +
        `${this.known}.`
  }
}

/** Fails if the schema is newer than this program; if it must not be migrated, also if it is older. */
export const requireVersion = ({ found, known, mayMigrate, schema }: {
  readonly schema: string
  readonly found: number
  readonly known: number
  readonly mayMigrate: boolean
}): Effect.Effect<void, SchemaNotMigrated | UnknownSchemaVersion> => {
  if (found > known) return new UnknownSchemaVersion({ found, known })
  return found < known && !mayMigrate ? new SchemaNotMigrated({ schema, found, known }) : Effect.void
}

const decode = Rows.decodeInteger(MIGRATIONS_TABLE)

/** Reads the version of the schema from its table of migrations; 0 if no migration is completed. */
export const schemaVersion = (run: Run, table: string = MIGRATIONS_TABLE) =>
  Effect.flatMap(run(`SELECT coalesce(max(migration_id), 0) AS value FROM ${table}`, []), decode)

/**
 * Runs the migrations that the schema does not have yet, and records them in the table of migrations, which must exist. The
 * caller begins and commits the transaction.
 */
export const runMissing = Effect.fnUntraced(function*<Migration, E>(
  run: Run,
  migrations: ReadonlyArray<readonly [name: string, migration: Migration]>,
  migrate: (migration: Migration) => Effect.Effect<void, E>
) {
  const found = yield* schemaVersion(run)
  if (found > migrations.length) return yield* new UnknownSchemaVersion({ found, known: migrations.length })
  for (const [index, [name, migration]] of migrations.entries()) {
    if (index < found) continue
    yield* migrate(migration)
    yield* run(`INSERT INTO ${MIGRATIONS_TABLE} (migration_id, name) VALUES (?, ?)`, [index + 1, name])
  }
})

/** Logs the migration of an existing schema before and after, because it may take minutes. Logs nothing for a new one. */
export const logMigration = (found: number, known: number) => <A, E, R>(migration: Effect.Effect<A, E, R>) =>
  found === 0 || found >= known
    ? migration
    : Effect.zipRight(Effect.logInfo("The schema of the database is being migrated"), migration).pipe(
      Effect.zipLeft(Effect.logInfo("The schema of the database is migrated")),
      Effect.annotateLogs({ from_version: found, to_version: known })
    )
