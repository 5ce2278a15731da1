/** The log has changes of each field that a page of members shows, also of fields that no search compares. */
export const shownMemberChanges: ReadonlyArray<string> = [
  "DROP TRIGGER memberships_tell_of_changes",
  `CREATE TRIGGER memberships_tell_of_changes AFTER UPDATE ON memberships
  WHEN NEW.joined_at <> OLD.joined_at OR NEW.role_ids <> OLD.role_ids OR NEW.nickname IS NOT OLD.nickname
    OR NEW.nickname_text IS NOT OLD.nickname_text OR NEW.join_source_type IS NOT OLD.join_source_type
    OR NEW.source_invite_code IS NOT OLD.source_invite_code OR NEW.inviter_id IS NOT OLD.inviter_id
  BEGIN
    INSERT INTO member_changes (guild_id, user_id) VALUES (NEW.guild_id, NEW.user_id);
  END`,
  "DROP TRIGGER users_tell_of_changes",
  `CREATE TRIGGER users_tell_of_changes
  AFTER UPDATE OF username, username_text, global_name, global_name_text, discriminator, bot ON users
  WHEN NEW.username <> OLD.username OR NEW.username_text <> OLD.username_text
    OR NEW.global_name IS NOT OLD.global_name OR NEW.global_name_text IS NOT OLD.global_name_text
    OR NEW.discriminator <> OLD.discriminator OR NEW.bot <> OLD.bot
  BEGIN
    INSERT INTO member_changes (guild_id, user_id) SELECT guild_id, user_id FROM memberships WHERE user_id = NEW.id;
  END`
]
