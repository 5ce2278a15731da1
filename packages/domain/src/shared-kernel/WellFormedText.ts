import { Predicate } from "effect"

/**
 * Replaces lone surrogates by U+FFFD in all texts of JSON data; bytes stay as they are. Storages keep texts in this form:
 * UTF-8 cannot encode lone surrogates, and readers of JSON disagree about them (RFC 8259, 8.2).
 */
export const wellFormedIn = (value: unknown): unknown => {
  if (Predicate.isString(value)) return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormedIn)
  return Predicate.isRecord(value) && !Predicate.isUint8Array(value)
    ? Object.fromEntries(Object.entries(value).map(([name, content]) => [name, wellFormedIn(content)]))
    : value
}
