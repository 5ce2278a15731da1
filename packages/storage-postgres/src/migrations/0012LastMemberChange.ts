/** A change that is committed but has no number yet is later than every position: the largest exact number of the program. */
export const AFTER_ALL_POSITIONS = Number.MAX_SAFE_INTEGER

/**
 * The last change of a guild's members, in the state that the calling statement sees. Changes before the first one in the
 * log may have been changes of this guild. Changes before `since` are in the log.
 *
 * It always reads indexes: `new_member_changes` is nearly always empty when statements are planned, so a sequential scan
 * would be planned, and would read all moved rows that are not vacuumed yet.
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
