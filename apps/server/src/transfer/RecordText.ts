import { Either, Predicate } from "effect"
import { invalid, type InvalidRecord } from "./InvalidRecord.ts"

/** Only these texts may have nulls or lone surrogates. Most lines of an export have neither. */
const MAY_NEED_CLEANING = /null|\\u[dD]/

/** Removes nulls and replaces lone surrogates, which cannot be encoded in UTF-8, by U+FFFD. */
const clean = (value: unknown): unknown => {
  if (value === null) return undefined
  if (Predicate.isString(value)) return value.toWellFormed()
  if (Array.isArray(value)) return value.map(clean)
  if (!Predicate.isRecord(value)) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(fields.map(([name, field]) => [name, clean(field)]))
}

/** Parses the text of a record. Nulls are removed, so that a null field equals a missing one. */
export const parse = (text: string): Either.Either<object, InvalidRecord> =>
  Either.try({
    try: (): unknown => MAY_NEED_CLEANING.test(text) ? clean(JSON.parse(text)) : JSON.parse(text),
    catch: () => invalid("", "is not JSON")
  }).pipe(
    Either.filterOrLeft(
      (value): value is object => Predicate.isRecord(value),
      () => invalid("", "is not a JSON object")
    )
  )
