/** The text with U+FFFD for its lone surrogates: UTF-8, in which text is stored, has none. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd")
