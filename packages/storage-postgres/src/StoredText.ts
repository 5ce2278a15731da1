/*
 * PostgreSQL cannot store U+0000 in a text. It is stored as U+0010 and "0", and U+0010, which is named "data link escape",
 * as U+0010 and "1". Equal texts stay equal, and different ones different. JSON escapes both characters itself.
 */

const ESCAPE = "\u0010"
const NULL = "\0"
const STORED_NULL = `${ESCAPE}0`
const STORED_ESCAPE = `${ESCAPE}1`

/** Returns the stored form of a text. */
export const escape = (text: string): string =>
  text.includes(NULL) || text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE, STORED_ESCAPE).replaceAll(NULL, STORED_NULL)
    : text

/** Returns the text of a stored form. */
export const unescape = (stored: string): string =>
  stored.includes(ESCAPE) ? stored.replaceAll(STORED_NULL, NULL).replaceAll(STORED_ESCAPE, ESCAPE) : stored
