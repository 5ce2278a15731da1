/** Characters without a meaning to a shell. */
const PLAIN = /^[\w@%+=:,./-]+$/

/** Returns the text as one word of a POSIX shell (Shell Command Language, 2.2 Quoting). */
export const shellWord = (text: string): string => PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
