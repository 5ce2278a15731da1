/** The log has changes of each field that a page of members shows, also of fields that no search compares. */
export const shownMemberChanges = (schema: string): ReadonlyArray<string> => [
  "DROP TRIGGER memberships_tell_of_changes ON memberships",
  `CREATE TRIGGER memberships_tell_of_changes AFTER UPDATE ON memberships FOR EACH ROW
  WHEN (
    NEW.joined_at <> OLD.joined_at OR NEW.role_ids <> OLD.role_ids OR NEW.nickname IS DISTINCT FROM OLD.nickname
    OR NEW.nickname_text IS DISTINCT FROM OLD.nickname_text
    OR NEW.join_source_type IS DISTINCT FROM OLD.join_source_type
    OR NEW.source_invite_code IS DISTINCT FROM OLD.source_invite_code
    OR NEW.inviter_id IS DISTINCT FROM OLD.inviter_id
    OR NEW.guild_id <> OLD.guild_id OR NEW.user_id <> OLD.user_id
  ) EXECUTE FUNCTION ${schema}.tell_of_membership()`,
  "DROP TRIGGER users_tell_of_changes ON users",
  `CREATE TRIGGER users_tell_of_changes
  AFTER UPDATE OF username, username_text, global_name, global_name_text, discriminator, bot ON users FOR EACH ROW
  WHEN (
    NEW.username <> OLD.username OR NEW.username_text <> OLD.username_text
    OR NEW.global_name IS DISTINCT FROM OLD.global_name
    OR NEW.global_name_text IS DISTINCT FROM OLD.global_name_text
    OR NEW.discriminator <> OLD.discriminator OR NEW.bot <> OLD.bot
  ) EXECUTE FUNCTION ${schema}.tell_of_member()`
]
