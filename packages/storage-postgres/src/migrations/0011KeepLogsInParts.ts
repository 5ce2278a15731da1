/** The maximum number of rows that one call moves to each log. It takes a fraction of the statement timeout. */
export const MOVED_AT_ONCE = 20_000

/**
 * A call of `keep_logs` moves at most this number of rows, in the order in which they were written. Without this limit, a
 * call after an import of millions of rows times out, and so does each call after it. If rows are left, `has_more` is true,
 * and `horizon` does not change, so that the next call finds them.
 */
export const keepLogsInParts = (schema: string, name: string): ReadonlyArray<string> => [
  `DROP FUNCTION ${schema}.keep_logs(xid8)`,
  `CREATE FUNCTION ${schema}.keep_logs(
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
      EXISTS (SELECT 1 FROM ${schema}.new_events WHERE xid >= since)
        OR EXISTS (SELECT 1 FROM ${schema}.new_member_changes WHERE xid >= since)
    INTO horizon, has_news;
    IF has_news THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('${schema}.keep_logs', 0));
      SELECT id INTO next_event FROM ${schema}.new_events
      WHERE xid >= since ORDER BY id OFFSET ${MOVED_AT_ONCE} LIMIT 1;
      WITH moved AS (
        DELETE FROM ${schema}.new_events WHERE xid >= since AND id < coalesce(next_event, after_all)
        RETURNING id, occurred_at, event
      )
      INSERT INTO ${schema}.events (occurred_at, event)
      SELECT occurred_at, event FROM (SELECT * FROM moved ORDER BY id) AS ordered;
      SELECT max(sequence) / 1000 INTO trimmed FROM ${schema}.member_changes;
      SELECT id INTO next_change FROM ${schema}.new_member_changes
      WHERE xid >= since ORDER BY id OFFSET ${MOVED_AT_ONCE} LIMIT 1;
      WITH moved AS (
        DELETE FROM ${schema}.new_member_changes WHERE xid >= since AND id < coalesce(next_change, after_all)
        RETURNING id, guild_id, user_id
      )
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
  END $$`
]
