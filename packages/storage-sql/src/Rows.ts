import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type DateTime, Either, Option, ParseResult, Schema } from "effect"
import { Instant } from "./Column.ts"

/** Makes the error of a row that violates its schema: it has the paths of the violations, but no values. */
export const invalidRow = (operation: string) => (error: ParseResult.ParseError): StorageError => {
  const places = new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join(".")))
  return new StorageError({ operation, cause: new Error(`Invalid value at ${Array.from(places).join(", ")}`) })
}

/** Turns an entity into a row of the table. */
export const encode = <A, I>(table: string, row: Schema.Schema<A, I>) => {
  const encoder = CompiledSchema.encodeEither(row)
  const invalid = invalidRow(`write a row of ${table}`)
  return (entity: A): Either.Either<I, StorageError> => Either.mapLeft(encoder(entity), invalid)
}

/**
 * Decodes the selected rows of a table. Fails at a value of a wrong type. Does not check refinements again, because every
 * entity passes its schema before it is stored.
 */
export const decodeAll = <A, I>(table: string, row: Schema.Schema<A, I>) => {
  const decode = CompiledSchema.decodeTrustedEither(Schema.Array(row))
  const invalid = invalidRow(`read rows of ${table}`)
  return (rows: ReadonlyArray<unknown>): Either.Either<ReadonlyArray<A>, StorageError> =>
    Either.mapLeft(decode(rows), invalid)
}

/** Like `decodeAll`, for a query that returns at most one row. */
export const decodeFirst = <A, I>(table: string, row: Schema.Schema<A, I>) => {
  const decode = decodeAll(table, row)
  return (rows: ReadonlyArray<unknown>): Either.Either<Option.Option<A>, StorageError> =>
    rows.length === 0
      ? Either.right(Option.none())
      : Either.map(decode(rows), ([first]) => Option.fromNullable(first))
}

const IntegerRow = Schema.Struct({ value: Schema.Int })

/** The integer in the column `value` of the first row; 0 without rows. */
export const decodeInteger = (table: string) => {
  const decode = decodeFirst(table, IntegerRow)
  return (rows: ReadonlyArray<unknown>): Either.Either<number, StorageError> =>
    Either.map(decode(rows), Option.match({ onNone: () => 0, onSome: ({ value }) => value }))
}

const MomentRow = Schema.Struct({ at: Instant })

/** The moment in the column `at` of the first row. */
export const decodeMoment = (table: string) => {
  const decode = decodeFirst(table, MomentRow)
  return (rows: ReadonlyArray<unknown>): Either.Either<Option.Option<DateTime.Utc>, StorageError> =>
    Either.map(decode(rows), Option.map(({ at }) => at))
}
