import { AFTER_ALL_POSITIONS } from "./0012LastMemberChange.ts"
import { committed } from "./0014CommittedRanges.ts"

/** The log of member changes has at least this many numbers. */
const MIN_LOGGED_CHANGES = 100_000

/**
 * A search calls the function, so it takes half of its time: 25 microseconds instead of 57. If no transaction runs, all rows
 * before the end of the snapshot are committed, and need no ranges. Instead of the first change in the log, it reads the last
 * one, which is known to have so many before it.
 */
export const fasterLastChange = (schema: string): ReadonlyArray<string> => {
  const lastLogged = `greatest(
        (SELECT max(sequence) FROM ${schema}.member_changes WHERE guild_id = of_guild),
        (SELECT max(sequence) - ${MIN_LOGGED_CHANGES} FROM ${schema}.member_changes),
        0
      )`
  return [
    `CREATE OR REPLACE FUNCTION ${schema}.last_member_change(since xid8, of_guild bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE SET enable_seqscan TO off AS $$
    BEGIN
      IF pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()) THEN
        RETURN CASE
          WHEN EXISTS (
            SELECT 1 FROM ${schema}.new_member_changes AS row
            WHERE row.xid >= since AND row.xid < pg_snapshot_xmax(pg_current_snapshot()) AND row.guild_id = of_guild
          )
          THEN ${AFTER_ALL_POSITIONS}
          ELSE ${lastLogged} END;
      END IF;
      RETURN CASE
        WHEN EXISTS (SELECT 1 ${committed(schema, "new_member_changes", "row.guild_id")} WHERE guild_id = of_guild)
        THEN ${AFTER_ALL_POSITIONS}
        ELSE ${lastLogged} END;
    END $$`
  ]
}
