/** A change that is committed but has no number yet is later than every position: the largest exact number of the program. */
const AFTER_ALL_POSITIONS = Number.MAX_SAFE_INTEGER

/**
 * The last change of a guild's members, in the state that the calling statement sees. Changes before the first one in the log
 * may have been of that guild. Changes before `since` are in the log.
 *
 * It reads indexes, whatever the planner knows: `new_member_changes` is nearly always empty when statements are planned, so
 * that each search would read all rows that were moved and are not vacuumed yet.
 */
export const lastMemberChange = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.last_member_change(since xid8, of_guild bigint) RETURNS bigint
  LANGUAGE plpgsql STABLE SET enable_seqscan TO off AS $$
  BEGIN
    RETURN CASE
      WHEN EXISTS (SELECT 1 FROM ${schema}.new_member_changes WHERE xid >= since AND guild_id = of_guild)
      THEN ${AFTER_ALL_POSITIONS}
      ELSE greatest(
        (SELECT max(sequence) FROM ${schema}.member_changes WHERE guild_id = of_guild),
        (SELECT min(sequence) - 1 FROM ${schema}.member_changes),
        0
      ) END;
  END $$`
]
