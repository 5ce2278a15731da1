/** The text with U+FFFD for its lone surrogates: UTF-8, in which text is stored, has none. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd")

/** Whether the text can be stored, and so be found, as it is. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
