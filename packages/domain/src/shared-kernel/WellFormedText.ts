import { Predicate } from "effect"

// Most texts have no surrogates at all, and need no copy.
const SURROGATE = /[\ud800-\udfff]/

/**
 * Replaces lone surrogates by U+FFFD, as a USVString of Web IDL does. Storages keep texts in this form: UTF-8 cannot encode
 * lone surrogates, and readers of JSON disagree about them (RFC 8259, 8.2).
 */
export const wellFormed = (text: string): string =>
  SURROGATE.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text

/** The same for all texts in JSON data; bytes stay as they are. */
export const wellFormedIn = (value: unknown): unknown => {
  if (Predicate.isString(value)) return wellFormed(value)
  if (Array.isArray(value)) return value.map(wellFormedIn)
  return Predicate.isRecord(value) && !Predicate.isUint8Array(value)
    ? Object.fromEntries(Object.entries(value).map(([name, content]) => [name, wellFormedIn(content)]))
    : value
}
