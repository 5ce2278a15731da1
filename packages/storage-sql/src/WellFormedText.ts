/** Replaces lone surrogates by U+FFFD. Text is stored in UTF-8, which cannot encode them. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd")
