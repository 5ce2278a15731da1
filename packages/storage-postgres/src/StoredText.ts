/*
 * PostgreSQL cannot store U+0000 in a text. It is stored as U+0010 and "0", and U+0010, which is named "data link escape",
 * as U+0010 and "1". Equal texts stay equal, and different ones different. JSON escapes both characters itself.
 */

const SPECIAL = /[\0\x10]/
const ALL_SPECIAL = /[\0\x10]/g
const ALL_ESCAPED = /\x10[01]/g
const ESCAPE = "\x10"

/** The text as it is stored. */
export const escape = (text: string): string =>
  SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (special) => special === "\0" ? "\x100" : "\x101") : text

/** The text that was stored. */
export const unescape = (stored: string): string =>
  stored.includes(ESCAPE)
    ? stored.replace(ALL_ESCAPED, (escaped) => escaped === "\x100" ? "\0" : ESCAPE)
    : stored
