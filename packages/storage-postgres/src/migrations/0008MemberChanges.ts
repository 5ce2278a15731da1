const ROW_CHANGED = `NEW.joined_at <> OLD.joined_at OR NEW.role_ids <> OLD.role_ids
    OR NEW.nickname_text IS DISTINCT FROM OLD.nickname_text
    OR NEW.join_source_type IS DISTINCT FROM OLD.join_source_type
    OR NEW.source_invite_code IS DISTINCT FROM OLD.source_invite_code
    OR NEW.guild_id <> OLD.guild_id OR NEW.user_id <> OLD.user_id`

/** Triggers that write the log of members who joined a guild, left it or changed. */
export const memberChanges = (schema: string): ReadonlyArray<string> => {
  const insert = `INSERT INTO ${schema}.new_member_changes (guild_id, user_id)`
  return [
    "CREATE INDEX member_changes_by_guild ON member_changes (guild_id, sequence)",
    `CREATE FUNCTION ${schema}.tell_of_membership() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        ${insert} VALUES (OLD.guild_id, OLD.user_id);
      END IF;
      IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND (NEW.guild_id <> OLD.guild_id OR NEW.user_id <> OLD.user_id) THEN
        ${insert} VALUES (NEW.guild_id, NEW.user_id);
        -- Who changes the account at the same time would not see the membership, and would not tell of it: wait for them,
        -- or let them wait.
        PERFORM 1 FROM ${schema}.users WHERE id = NEW.user_id FOR SHARE;
      END IF;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER memberships_tell_of_coming_and_going AFTER INSERT OR DELETE ON memberships FOR EACH ROW
    EXECUTE FUNCTION ${schema}.tell_of_membership()`,
    `CREATE TRIGGER memberships_tell_of_changes AFTER UPDATE ON memberships FOR EACH ROW WHEN (${ROW_CHANGED})
    EXECUTE FUNCTION ${schema}.tell_of_membership()`,
    `CREATE FUNCTION ${schema}.tell_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${insert} SELECT guild_id, user_id FROM ${schema}.memberships WHERE user_id = NEW.id;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER users_tell_of_changes AFTER UPDATE OF username_text, global_name_text, bot ON users FOR EACH ROW
    WHEN (
      NEW.username_text <> OLD.username_text OR NEW.global_name_text IS DISTINCT FROM OLD.global_name_text
      OR NEW.bot <> OLD.bot
    ) EXECUTE FUNCTION ${schema}.tell_of_member()`
  ]
}
