import { Schema } from "effect"

/** The table of completed migrations. Its name does not conflict with tables of an embedding application. */
export const MIGRATIONS_TABLE = "community_messaging_migrations"

/** The database was written by a newer version of this program. */
export class UnknownSchemaVersion extends Schema.TaggedError<UnknownSchemaVersion>()("UnknownSchemaVersion", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message(): string {
    return `The database has schema version ${this.found}, but this program supports versions up to ${this.known}. ` +
      "A newer version of the program wrote it: run that version, or restore an older backup."
  }
}
