import type { StorageError } from "@community-messaging/domain/StorageError"
import type { SqlError, Statement } from "@effect/sql"
import { Effect, type Option, Schema, SchemaAST } from "effect"
import * as Rows from "./Rows.ts"
import { wellFormed } from "./WellFormedText.ts"

type ColumnOf<Row> = Row extends unknown ? Extract<keyof Row, string> : never

/** A table as its entity sees it: the row schema stands between the two, both ways. */
export interface Table<Entity> {
  /**
   * The row's columns, for `SELECT` and `RETURNING`. Snowflakes come as text, so order by `users.id`, which is the number,
   * and never by `id`.
   */
  readonly columns: Statement.Fragment
  readonly decodeAll: (rows: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Entity>, StorageError>
  readonly decodeFirst: (rows: ReadonlyArray<unknown>) => Effect.Effect<Option.Option<Entity>, StorageError>
  /** `column = value, …` for everything but the key, for `UPDATE`. */
  readonly changes: (entity: Entity) => Effect.Effect<Statement.Fragment, StorageError>
  /** Adds a new row. */
  readonly insert: (entity: Entity) => Effect.Effect<void, SqlError.SqlError | StorageError>
  /** Adds a row, or replaces the values of the one with the same key. */
  readonly save: (entity: Entity) => Effect.Effect<void, SqlError.SqlError | StorageError>
}

const columnsOf = (row: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(row)
    ? Array.from(new Set(row.types.flatMap(columnsOf)))
    : SchemaAST.getPropertySignatures(row).map(({ name }) => String(name))

/** Describes a table. `snowflakes` are the columns that hold one: as numbers they would be more than JavaScript's can. */
export const make = <Entity, Row extends object>(sql: Statement.Constructor, { derived, key, name, row, snowflakes }: {
  readonly name: string
  readonly row: Schema.Schema<Entity, Row>
  readonly key: ReadonlyArray<ColumnOf<Row>>
  readonly snowflakes: ReadonlyArray<ColumnOf<Row>>
  /** Further columns, which follow from the entity and are not read back. */
  readonly derived?: (entity: Entity) => Readonly<Record<string, string | null>>
}): Table<Entity> => {
  const asText: ReadonlyArray<string> = snowflakes
  const keyColumns: ReadonlyArray<string> = key
  const encode = Schema.encode(row)

  const values = (entity: Entity): Effect.Effect<Record<string, unknown>, StorageError> =>
    Effect.mapBoth(encode(entity), {
      onSuccess: (encoded) =>
        Object.fromEntries(
          Object.entries<unknown>({ ...encoded, ...derived?.(entity) })
            .map(([column, value]) => [column, typeof value === "string" ? wellFormed(value) : value])
        ),
      onFailure: Rows.misfit(`write a row of ${name}`)
    })

  const isKey = (column: string): boolean => keyColumns.includes(column)

  return {
    columns: sql.literal(
      columnsOf(Schema.encodedSchema(row).ast)
        .map((column) => asText.includes(column) ? `CAST(${name}.${column} AS TEXT) AS ${column}` : column)
        .join(", ")
    ),
    decodeAll: Rows.decodeAll(name, row),
    decodeFirst: Rows.decodeFirst(name, row),
    changes: (entity) => Effect.map(values(entity), (record) => sql`${sql.update(record, keyColumns)}`),
    insert: (entity) => Effect.flatMap(values(entity), (record) => sql`INSERT INTO ${sql(name)} ${sql.insert(record)}`),
    save: (entity) =>
      Effect.flatMap(values(entity), (record) => {
        const changes = Object.keys(record)
          .filter((column) => !isKey(column))
          .map((column) => `${column} = excluded.${column}`)
        return sql`INSERT INTO ${sql(name)} ${sql.insert(record)}
          ON CONFLICT (${sql.literal(keyColumns.join(", "))}) DO UPDATE SET ${sql.literal(changes.join(", "))}`
      })
  }
}
