/** Comes before every snowflake. */
export const BEFORE_ALL_IDS = "-1"
