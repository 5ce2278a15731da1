/** Most names: printable ASCII words, separated by one space. Such a text only needs lower case. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/**
 * Normalises text for comparison: NFKD, combining marks removed, lower case, white space collapsed, trimmed (API gaps,
 * Member search). `É` equals `é`, and `Ａ` equals `a`.
 *
 * At the end of a word, the lower case of `Σ` is a different letter than inside a word. Here both are `σ`, so that `ΝΙΚΟΣ`
 * is found in `ΝΙΚΟΣΤΡΑΤΟΣ`.
 */
export const normalise = (text: string): string => PLAIN.test(text) ? text.toLowerCase() : normaliseAny(text)

const normaliseAny = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ").replace(/\s+/gu, " ").trim()

/** Splits a normalised query into terms. Empty if the query is blank. */
export const terms = (normalisedQuery: string): ReadonlyArray<string> =>
  normalisedQuery === "" ? [] : normalisedQuery.split(" ")

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u

/** Returns whether a word begins at this index: at the start, or after a character that is neither a letter nor a digit. */
export const isWordStart = (text: string, index: number): boolean => {
  if (index === 0) return true
  // Not a regular expression that ends with `$`: on Node 26, it does not match a character of two UTF-16 units.
  const isPair = (text.codePointAt(index - 2) ?? 0) > 0xffff
  return !LETTER_OR_DIGIT.test(text.slice(index - (isPair ? 2 : 1), index))
}
