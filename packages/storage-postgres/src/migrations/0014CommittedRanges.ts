import { MOVED_AT_ONCE } from "./0011KeepLogsInParts.ts"
import { AFTER_ALL_POSITIONS } from "./0012LastMemberChange.ts"

/** The log of member changes has at most this many numbers: 100,000, and those until the next thousand. */
const MAX_LOGGED_CHANGES = 101_000

/**
 * Selects the committed rows between the numbers of the running transactions. It begins with the transaction `since`, a
 * parameter of the function. The offset keeps the planner from another order of the join. Rows of the calling transaction
 * are not found: it must not have written any.
 */
export const committed = (schema: string, table: string, columns: string, limit = "") =>
  `FROM (
      SELECT bound AS after, lead(bound, 1, pg_snapshot_xmax(pg_current_snapshot())) OVER (ORDER BY bound) AS before
      FROM (
        SELECT CAST(CAST(greatest(CAST(CAST(since AS text) AS numeric) - 1, 0) AS text) AS xid8) AS bound
        UNION ALL
        SELECT running FROM pg_snapshot_xip(pg_current_snapshot()) AS running WHERE running >= since
      ) AS bounds
    ) AS ranges, LATERAL (
      SELECT ${columns} FROM ${schema}.${table} AS row
      WHERE row.xid > ranges.after AND row.xid < ranges.before OFFSET 0 ${limit}
    ) AS found`

/**
 * Rows of running transactions, such as an import of a million members, are skipped: without that, each search and each
 * numbering visits all of them, because the horizon is not later than such a transaction. And the oldest change in the log
 * is found without visiting those before it, which were removed: while a snapshot is open, such as that of a dump, they are
 * not vacuumed.
 */
export const committedRanges = (schema: string, name: string): ReadonlyArray<string> => {
  const move = (table: string, columns: string, next: string) => `
      SELECT id INTO ${next} ${committed(schema, table, "row.id")} ORDER BY id OFFSET ${MOVED_AT_ONCE} LIMIT 1;
      WITH moved AS (
        DELETE FROM ${schema}.${table} WHERE ctid = ANY (ARRAY(
          SELECT place ${committed(schema, table, "row.ctid AS place, row.id")} WHERE id < coalesce(${next}, after_all)
        ))
        RETURNING id, ${columns}
      )`
  return [
    `CREATE OR REPLACE FUNCTION ${schema}.keep_logs(
      since xid8, OUT horizon xid8, OUT last_event bigint, OUT last_change bigint, OUT has_more boolean
    )
    LANGUAGE plpgsql SET enable_seqscan TO off AS $$
    DECLARE
      has_news boolean;
      trimmed bigint;
      next_event bigint;
      next_change bigint;
      after_all constant bigint := 9223372036854775807;
    BEGIN
      SELECT
        pg_snapshot_xmin(pg_current_snapshot()),
        EXISTS (SELECT 1 ${committed(schema, "new_events", "1", "LIMIT 1")})
          OR EXISTS (SELECT 1 ${committed(schema, "new_member_changes", "1", "LIMIT 1")})
      INTO horizon, has_news;
      IF has_news THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('${schema}.keep_logs', 0));
        ${move("new_events", "occurred_at, event", "next_event")}
        INSERT INTO ${schema}.events (occurred_at, event)
        SELECT occurred_at, event FROM (SELECT * FROM moved ORDER BY id) AS ordered;
        SELECT max(sequence) / 1000 INTO trimmed FROM ${schema}.member_changes;
        ${move("new_member_changes", "guild_id, user_id", "next_change")}
        INSERT INTO ${schema}.member_changes (guild_id, user_id)
        SELECT guild_id, user_id FROM (SELECT * FROM moved ORDER BY id) AS ordered;
      END IF;
      SELECT coalesce(max(sequence), 0) INTO last_event FROM ${schema}.events;
      SELECT coalesce(max(sequence), 0) INTO last_change FROM ${schema}.member_changes;
      has_more := next_event IS NOT NULL OR next_change IS NOT NULL;
      IF has_more THEN horizon := since; END IF;
      IF has_news THEN
        -- The last 100,000 changes are kept; an older index is built again.
        IF last_change / 1000 > trimmed THEN
          DELETE FROM ${schema}.member_changes WHERE sequence <= last_change - 100000;
        END IF;
        PERFORM pg_notify('${name}', last_event || ' ' || last_change);
      END IF;
    END $$`,
    `CREATE OR REPLACE FUNCTION ${schema}.last_member_change(since xid8, of_guild bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE SET enable_seqscan TO off AS $$
    BEGIN
      RETURN CASE
        WHEN EXISTS (SELECT 1 ${committed(schema, "new_member_changes", "row.guild_id")} WHERE guild_id = of_guild)
        THEN ${AFTER_ALL_POSITIONS}
        ELSE greatest(
          (SELECT max(sequence) FROM ${schema}.member_changes WHERE guild_id = of_guild),
          (
            SELECT min(sequence) - 1 FROM ${schema}.member_changes
            WHERE sequence > (SELECT max(sequence) - ${MAX_LOGGED_CHANGES} FROM ${schema}.member_changes)
          ),
          0
        ) END;
    END $$`,
    // A role that serves may not have the right otherwise: default privileges may take it from everyone.
    `GRANT EXECUTE ON FUNCTION ${schema}.keep_logs(xid8), ${schema}.last_member_change(xid8, bigint) TO PUBLIC`
  ]
}
