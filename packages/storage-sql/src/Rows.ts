import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, Option, ParseResult, Predicate, Schema } from "effect"
import { Instant } from "./Column.ts"
import type { SqlFailure } from "./SqlFailure.ts"

/** The columns that identify a row of a table. */
const KEYS = ["id", "sequence", "guild_id", "user_id", "application_id"] as const

const keyOf = (row: unknown): string => {
  const values = KEYS.flatMap((key) => Predicate.hasProperty(row, key) ? `${key} ${String(row[key])}` : [])
  return values.length === 0 ? "a row without an id" : values.join(", ")
}

/**
 * Makes the error of values that violate their schema: it has their paths, but not the values. The operation names them,
 * because the log has it, unlike messages of causes.
 */
const invalid = (
  operation: string,
  error: ParseResult.ParseError,
  describe: (path: ReadonlyArray<PropertyKey>) => string
): StorageError => {
  const places = new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => describe(path)))
  return new StorageError({ operation: `${operation}: invalid ${Array.from(places).join("; ")}` })
}

/** Turns an entity into a row of the table. */
export const encode = <A, I>(table: string, row: Schema.Schema<A, I>) => {
  const encoder = CompiledSchema.encodeEither(row)
  return (entity: A): Either.Either<I, StorageError> =>
    Either.mapLeft(encoder(entity), (error) => invalid(`write a row of ${table}`, error, (path) => path.join(".")))
}

/**
 * Encodes an entity that `encode` refuses, if the row that it replaces has the refused values already: that row was written
 * under older rules. `find` reads the row by the values of its key.
 */
export const encodeKeepingOld = <A, I extends object>(
  row: Schema.Schema<A, I>,
  key: ReadonlyArray<string>,
  find: (values: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>, SqlFailure>
) => {
  const encodeTrusted = CompiledSchema.encodeTrustedEither(row)
  const decodeTrusted = CompiledSchema.decodeTrustedEither(row)
  const check = Schema.decodeUnknownEither(row, { errors: "all" })
  const refusedColumns = (encoded: I) =>
    Either.match(check(encoded), {
      onLeft: (error) =>
        ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path: [column = ""] }) => String(column)),
      onRight: () => []
    })
  return Effect.fnUntraced(function*(entity: A, refused: StorageError) {
    const encoded = yield* Either.mapLeft(encodeTrusted(entity), () => refused)
    const values = new Map<string, unknown>(Object.entries(encoded))
    const columns = refusedColumns(encoded)
    const isChangeable = (column: string) => values.has(column) && !key.includes(column)
    if (columns.length === 0 || !columns.every(isChangeable)) return yield* refused
    const [found] = yield* find(key.map((column) => values.get(column)))
    // Equal values may have other texts as JSON, so the stored ones are encoded again.
    const old = yield* Either.mapLeft(Either.flatMap(decodeTrusted(found), encodeTrusted), () => refused)
    const oldValues = new Map<string, unknown>(Object.entries(old))
    return columns.every((column) => values.get(column) === oldValues.get(column)) ? encoded : yield* refused
  })
}

/**
 * Decodes the selected rows of a table. Fails at a value of a wrong type. Does not check refinements again, because every
 * entity passes its schema before it is stored: that of its time, whose rules may have become stricter.
 */
export const decodeAll = <A, I>(table: string, row: Schema.Schema<A, I>) => {
  const decode = CompiledSchema.decodeTrustedEither(row)
  return (rows: ReadonlyArray<unknown>): Either.Either<ReadonlyArray<A>, StorageError> => {
    const entities: Array<A> = []
    for (const each of rows) {
      const decoded = decode(each)
      if (Either.isLeft(decoded)) {
        const describe = (path: ReadonlyArray<PropertyKey>) => `${path.join(".")} in ${keyOf(each)}`
        return Either.left(invalid(`read rows of ${table}`, decoded.left, describe))
      }
      entities.push(decoded.right)
    }
    return Either.right(entities)
  }
}

/** Like `decodeAll`, for a query that returns at most one row. */
export const decodeFirst = <A, I>(table: string, row: Schema.Schema<A, I>) => {
  const decode = decodeAll(table, row)
  return (rows: ReadonlyArray<unknown>): Either.Either<Option.Option<A>, StorageError> =>
    Either.map(decode(rows), ([first]) => Option.fromNullable(first))
}

const IntegerRow = Schema.Struct({ value: Schema.Int }).pipe(Schema.pluck("value"))

/** The integer in the column `value` of the first row; 0 without rows. */
export const decodeInteger = (table: string) => {
  const decode = decodeFirst(table, IntegerRow)
  return (rows: ReadonlyArray<unknown>): Either.Either<number, StorageError> =>
    Either.map(decode(rows), Option.getOrElse(() => 0))
}

/** The moment in the column `at` of the first row. */
export const decodeMoment = (table: string) =>
  decodeFirst(table, Schema.Struct({ at: Instant }).pipe(Schema.pluck("at")))
