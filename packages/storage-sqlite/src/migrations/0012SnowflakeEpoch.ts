/** The epoch that the ids of this database count from. It has at most one row. */
export const snowflakeEpoch: ReadonlyArray<string> = [
  `CREATE TABLE snowflake_epoch (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    unix_millis INTEGER NOT NULL
  ) STRICT`
]
