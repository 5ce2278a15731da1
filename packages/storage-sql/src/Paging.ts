/** A lower bound of all snowflakes. */
export const BEFORE_ALL_IDS = "-1"
