/** Most names: printable ASCII words, separated by one space. Lower case is all that such a text needs. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/**
 * Normalises text for comparison: NFKD, combining marks removed, lower case, white space collapsed, trimmed (API gaps,
 * Member search). `É` equals `é`, and `Ａ` equals `a`.
 *
 * The lower case of `Σ` at the end of a word is another letter than inside a word; here both are `σ`, so that `ΝΙΚΟΣ`
 * is found in `ΝΙΚΟΣΤΡΑΤΟΣ`.
 */
export const normalise = (text: string): string => PLAIN.test(text) ? text.toLowerCase() : normaliseAny(text)

const normaliseAny = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ").replace(/\s+/gu, " ").trim()

/** Splits a normalised query into terms. Empty if the query is blank. */
export const terms = (normalisedQuery: string): ReadonlyArray<string> =>
  normalisedQuery === "" ? [] : normalisedQuery.split(" ")

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u

/** Returns whether a word begins at this index: at the start, or after a character that is no letter and no digit. */
export const isWordStart = (text: string, index: number): boolean => {
  if (index === 0) return true
  // Not a search that ends with `$`: on Node 26, it does not find a character of two units.
  const isPair = (text.codePointAt(index - 2) ?? 0) > 0xffff
  return !LETTER_OR_DIGIT.test(text.slice(index - (isPair ? 2 : 1), index))
}
