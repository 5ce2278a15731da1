/** The epoch that the ids of this database count from. It has at most one row. */
export const snowflakeEpoch = (): ReadonlyArray<string> => [
  `CREATE TABLE snowflake_epoch (
    id bigint PRIMARY KEY CHECK (id = 1),
    unix_millis bigint NOT NULL
  )`
]
