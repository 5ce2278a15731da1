import { MOVED_AT_ONCE } from "./0011KeepLogsInParts.ts"
import { AFTER_ALL_POSITIONS } from "./0012LastMemberChange.ts"

/** The size of events, as they are stored, after which one call moves no more of them: 16 MiB take a second. */
export const MOVED_BYTES_AT_ONCE = 16 * 2 ** 20

/** The log of member changes has at least this many numbers. */
const MIN_LOGGED_CHANGES = 100_000

/**
 * The end of the committed rows: that of the snapshot, so that rows of a running transaction are not visited. A call with
 * `since` 0, the first one of a connection, also finds the rows of a database that was restored on another server. They have
 * the numbers of the server that wrote them, which may be larger than all of this one.
 */
const END = "CASE WHEN since = '0' THEN '18446744073709551615'::xid8 ELSE pg_snapshot_xmax(pg_current_snapshot()) END"

/** A row of the calling transaction is not committed. */
const OF_ANOTHER_TRANSACTION = "row.xid IS DISTINCT FROM pg_current_xact_id_if_assigned()"

/** Selects committed rows as in migration 14, up to that end. */
const committed = (schema: string, table: string, columns: string, limit = "") =>
  `FROM (
      SELECT bound AS after, lead(bound, 1, ${END}) OVER (ORDER BY bound) AS before
      FROM (
        SELECT CAST(CAST(greatest(CAST(CAST(since AS text) AS numeric) - 1, 0) AS text) AS xid8) AS bound
        UNION ALL
        SELECT running FROM pg_snapshot_xip(pg_current_snapshot()) AS running WHERE running >= since
      ) AS bounds
    ) AS ranges, LATERAL (
      SELECT ${columns} FROM ${schema}.${table} AS row
      WHERE row.xid > ranges.after AND row.xid < ranges.before AND ${OF_ANOTHER_TRANSACTION} OFFSET 0 ${limit}
    ) AS found`

/**
 * A call of `keep_logs` moves a bounded size of events, too, or one event that is larger: without that, a call after a
 * commit of hundreds of megabytes times out, and so does each call after it. The bound is that of one snapshot and the move
 * sees another one, so a large commit in between may be moved with it; that call takes longer, and completes. The rows of a
 * restored database are numbered at once.
 */
export const boundedMoves = (schema: string, name: string): ReadonlyArray<string> => {
  const move = (table: string, columns: string, next: string) => `
      WITH moved AS (
        DELETE FROM ${schema}.${table} WHERE ctid = ANY (ARRAY(
          SELECT place ${committed(schema, table, "row.ctid AS place, row.id")} WHERE id < coalesce(${next}, after_all)
        ))
        RETURNING id, ${columns}
      )`
  const lastLogged = `greatest(
        (SELECT max(sequence) FROM ${schema}.member_changes WHERE guild_id = of_guild),
        (SELECT max(sequence) - ${MIN_LOGGED_CHANGES} FROM ${schema}.member_changes),
        0
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
        SELECT id INTO next_event FROM (
          SELECT id, row_number() OVER (ORDER BY id) AS place, sum(size) OVER (ORDER BY id) AS bytes
          FROM (
            SELECT id, size ${committed(schema, "new_events", "row.id, pg_column_size(row.event) AS size")}
            ORDER BY id LIMIT ${MOVED_AT_ONCE + 1}
          ) AS first
        ) AS summed
        WHERE place > ${MOVED_AT_ONCE} OR (place > 1 AND bytes > ${MOVED_BYTES_AT_ONCE})
        ORDER BY id LIMIT 1;
        ${move("new_events", "occurred_at, event", "next_event")}
        INSERT INTO ${schema}.events (occurred_at, event)
        SELECT occurred_at, event FROM (SELECT * FROM moved ORDER BY id) AS ordered;
        SELECT max(sequence) / 1000 INTO trimmed FROM ${schema}.member_changes;
        SELECT id INTO next_change ${committed(schema, "new_member_changes", "row.id")}
        ORDER BY id OFFSET ${MOVED_AT_ONCE} LIMIT 1;
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
          DELETE FROM ${schema}.member_changes WHERE sequence <= last_change - ${MIN_LOGGED_CHANGES};
        END IF;
        PERFORM pg_notify('${name}', last_event || ' ' || last_change);
      END IF;
    END $$`,
    `CREATE OR REPLACE FUNCTION ${schema}.last_member_change(since xid8, of_guild bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE SET enable_seqscan TO off AS $$
    BEGIN
      -- If no transaction runs, all rows are committed, and need no ranges.
      IF pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()) THEN
        RETURN CASE
          WHEN EXISTS (
            SELECT 1 FROM ${schema}.new_member_changes AS row
            WHERE row.xid >= since AND row.xid < ${END} AND row.guild_id = of_guild AND ${OF_ANOTHER_TRANSACTION}
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
