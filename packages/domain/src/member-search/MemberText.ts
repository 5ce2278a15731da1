/** What most names are: printable ASCII, its words one space apart. For the lower case of that nothing else is to be done. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/**
 * The text as it is compared: NFKD, combining marks removed, lower case, white space collapsed, trimmed (API gaps,
 * Member search). What `É` and `é`, `Ａ` and `a` have in common.
 *
 * Lower case makes of `Σ` another letter at the end of a word than inside one; here both are `σ`, or `ΝΙΚΟΣ` would not
 * be found in `ΝΙΚΟΣΤΡΑΤΟΣ`.
 */
export const normalise = (text: string): string => PLAIN.test(text) ? text.toLowerCase() : normaliseAny(text)

const normaliseAny = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ").replace(/\s+/gu, " ").trim()

/** The terms of a normalised query: each must occur. None where the query is blank. */
export const terms = (normalisedQuery: string): ReadonlyArray<string> =>
  normalisedQuery === "" ? [] : normalisedQuery.split(" ")

const WORD_CHARACTER = /[\p{L}\p{N}]$/u

/** Whether a word begins at that index of the text: nothing, or no letter or digit, stands before it. */
export const isWordStart = (text: string, index: number): boolean =>
  index === 0 || !WORD_CHARACTER.test(text.slice(Math.max(0, index - 2), index))
