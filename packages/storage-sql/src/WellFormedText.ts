// Most texts have no surrogates at all, and need no copy.
const SURROGATE = /[\ud800-\udfff]/

/** Replaces lone surrogates by U+FFFD. Text is stored in UTF-8, which cannot encode them. */
export const wellFormed = (text: string): string =>
  SURROGATE.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text
