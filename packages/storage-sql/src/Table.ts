import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, type Option, Predicate, Schema, SchemaAST } from "effect"
import { lowerBound } from "./Paging.ts"
import * as Rows from "./Rows.ts"
import type { SqlFailure } from "./SqlFailure.ts"
import { Fragment, type Parameter, type Sql } from "./Statements.ts"

type ColumnOf<Row> = Row extends unknown ? Extract<keyof Row, string> : never

/** Reads a table. The template follows `SELECT … FROM` the table: it begins with `WHERE` or `ORDER BY`. */
export type Select<Result> = (...template: Parameters<Sql>) => Effect.Effect<Result, SqlFailure | StorageError>

/** A table of entities. The row schema converts between entity and row. */
export interface Table<Entity> {
  /** The row's columns, for `SELECT`. Snowflakes are text, so order by `users.id`, which is the number, and never by `id`. */
  readonly columns: Fragment
  /** Reads entities. */
  readonly all: Select<ReadonlyArray<Entity>>
  /** Reads at most one entity. */
  readonly first: Select<Option.Option<Entity>>
  /**
   * Reads entities in the order of the last column of the key, starting after `after`. A condition begins with `AND`.
   */
  readonly page: (
    page: { readonly after: Option.Option<string>; readonly limit: number },
    condition?: Fragment
  ) => ReturnType<Select<ReadonlyArray<Entity>>>
  /** `column = value, …` for everything but the key, for `UPDATE`. Old values may stay (`Rows.encodeKeepingOld`). */
  readonly changes: (entity: Entity) => Effect.Effect<Fragment, SqlFailure | StorageError>
  /** Adds a new row. */
  readonly insert: (entity: Entity) => Effect.Effect<void, SqlFailure | StorageError>
  /** Adds a row, or replaces the one with the same key, whose old values may stay (`Rows.encodeKeepingOld`). */
  readonly save: (entity: Entity) => Effect.Effect<void, SqlFailure | StorageError>
}

const columnsOf = (row: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(row)
    ? Array.from(new Set(row.types.flatMap(columnsOf)))
    : SchemaAST.getPropertySignatures(row).map(({ name }) => String(name))

/**
 * Describes a table whose rows `sql` reads and `send` writes. `snowflakes` are the columns that contain snowflakes,
 * which are too large for JavaScript's numbers.
 */
export const make = <Entity, Row extends object>(
  { send, sql }: { readonly send: Sql<void>; readonly sql: Sql },
  { derived = {}, key, name, onReplace = {}, row, snowflakes }: {
    readonly name: string
    readonly row: Schema.Schema<Entity, Row>
    /** The columns of the primary key: `id` by default. */
    readonly key?: ReadonlyArray<ColumnOf<Row>>
    readonly snowflakes: ReadonlyArray<ColumnOf<Row>>
    /** More columns, which are derived from the entity and never read. */
    readonly derived?: Readonly<Record<string, (entity: Entity) => string | null>>
    /** SQL for columns whose new value also depends on the row that is replaced. */
    readonly onReplace?: Readonly<Record<string, string>>
  }
): Table<Entity> => {
  const asText: ReadonlyArray<string> = snowflakes
  const keyColumns: ReadonlyArray<string> = key ?? ["id"]
  const ownColumns = columnsOf(Schema.encodedSchema(row).ast)
  const derivations = Object.entries(derived)
  const columns = [...ownColumns, ...Object.keys(derived)]
  const changing = columns.filter((column) => !keyColumns.includes(column))
  const selected = new Fragment(
    ownColumns
      .map((column) => asText.includes(column) ? `CAST(${name}.${column} AS TEXT) AS ${column}` : column)
      .join(", ")
  )

  // The texts are the same for all rows, so that each is prepared once.
  const insertion = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
  const replacement = `${insertion} ON CONFLICT (${keyColumns.join(", ")}) DO UPDATE SET ${
    changing.map((column) => `${column} = ${onReplace[column] ?? `excluded.${column}`}`).join(", ")
  }`
  const changes = changing.map((column) => `${column} = ?`).join(", ")
  const byKey = `FROM ${name} WHERE ${keyColumns.map((column) => `${column} = ?`).join(" AND ")}`

  const values = (entity: Entity, encoded: Row, wanted: ReadonlyArray<string>): Array<Parameter> => {
    const valueOf: Record<string, unknown> = {}
    Object.assign(valueOf, encoded)
    for (const [column, derive] of derivations) valueOf[column] = derive(entity)
    return wanted.map((column) => parameter(valueOf[column]))
  }

  const selecting = <Result>(
    decode: (rows: ReadonlyArray<unknown>) => Either.Either<Result, StorageError>
  ): Select<Result> => {
    const wholeOf = new WeakMap<ReadonlyArray<string>, ReadonlyArray<string>>()
    return (strings, ...pieces) => {
      let whole = wholeOf.get(strings)
      if (whole === undefined) {
        whole = strings.map((part, index) => index === 0 ? `SELECT ${selected.text} FROM ${name} ${part}` : part)
        wholeOf.set(strings, whole)
      }
      return Effect.flatMap(sql(whole, ...pieces), decode)
    }
  }
  const all = selecting(Rows.decodeAll(name, row))
  const lastKey = `${name}.${keyColumns.at(-1) ?? ""}`
  const pageStrings = [`WHERE ${lastKey} > `, " ", ` ORDER BY ${lastKey} LIMIT `, ""]

  const encode = Rows.encode(name, row)
  const keepOld = Rows.encodeKeepingOld(
    row,
    keyColumns,
    (keyValues) => sql`SELECT ${selected} ${new Fragment(byKey, keyValues.map(parameter))}`
  )
  const over = <A, E>(entity: Entity, use: (encoded: Row) => Effect.Effect<A, E>) => {
    const encoded = encode(entity)
    return Either.isRight(encoded) ? use(encoded.right) : Effect.flatMap(keepOld(entity, encoded.left), use)
  }
  const writing = (text: string, entity: Entity) => (encoded: Row): Effect.Effect<void, SqlFailure> =>
    send`${new Fragment(text, values(entity, encoded, columns))}`

  return {
    columns: selected,
    all,
    first: selecting(Rows.decodeFirst(name, row)),
    page: ({ after, limit }, condition = NO_CONDITION) => all(pageStrings, lowerBound(after), condition, limit),
    changes: (entity) =>
      over(entity, (encoded) => Either.right(new Fragment(changes, values(entity, encoded, changing)))),
    insert: (entity) => {
      const encoded = encode(entity)
      return Either.isRight(encoded) ? writing(insertion, entity)(encoded.right) : encoded
    },
    save: (entity) => over(entity, writing(replacement, entity))
  }
}

const NO_CONDITION = new Fragment("")

/** An encoded property is text, a number, bytes or missing; a column of another variant has no value. */
const parameter = (value: unknown): Parameter =>
  Predicate.isString(value)
    ? value.toWellFormed()
    : Predicate.isNumber(value) || Predicate.isUint8Array(value)
    ? value
    : null
