import { Either, Predicate } from "effect"
import { invalid, type InvalidRecord } from "./InvalidRecord.ts"

/** Only these texts may have nulls or lone surrogates. Most lines of an export have neither. */
const MAY_NEED_CLEANING = /null|\\u[dD]/

/** Removes nulls and replaces lone surrogates, which cannot be encoded in UTF-8, by U+FFFD. */
const clean = (_name: string, value: unknown): unknown =>
  Predicate.isString(value) ? value.toWellFormed() : value ?? undefined

/** Parses the text of a record. Nulls are removed, so that a null field equals a missing one. */
export const parse = (text: string): Either.Either<object, InvalidRecord> =>
  Either.try({
    try: (): unknown => JSON.parse(text, MAY_NEED_CLEANING.test(text) ? clean : undefined),
    catch: () => invalid("", "is not JSON")
  }).pipe(Either.filterOrLeft(Predicate.isRecord, () => invalid("", "is not a JSON object")))
