/**
 * The log of members who joined a guild, left it or changed, in commit order. Every process with an index of a guild's
 * members reads it, so it also sees the changes of other processes. A rollback also rolls back the sequence number, so
 * there are no gaps. The last 100,000 changes are stored; an older index is built again.
 */
export const memberChanges: ReadonlyArray<string> = [
  `CREATE TABLE member_changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL
  ) STRICT`,
  `CREATE TRIGGER member_changes_end AFTER INSERT ON member_changes WHEN NEW.sequence % 1000 = 0
  BEGIN
    DELETE FROM member_changes WHERE sequence <= NEW.sequence - 100000;
  END`,

  `CREATE TRIGGER memberships_tell_of_joining AFTER INSERT ON memberships
  BEGIN
    INSERT INTO member_changes (guild_id, user_id) VALUES (NEW.guild_id, NEW.user_id);
  END`,
  `CREATE TRIGGER memberships_tell_of_leaving AFTER DELETE ON memberships
  BEGIN
    INSERT INTO member_changes (guild_id, user_id) VALUES (OLD.guild_id, OLD.user_id);
  END`,
  `CREATE TRIGGER memberships_tell_of_changes AFTER UPDATE ON memberships
  WHEN NEW.joined_at <> OLD.joined_at OR NEW.role_ids <> OLD.role_ids OR NEW.nickname_text IS NOT OLD.nickname_text
    OR NEW.join_source_type IS NOT OLD.join_source_type OR NEW.source_invite_code IS NOT OLD.source_invite_code
  BEGIN
    INSERT INTO member_changes (guild_id, user_id) VALUES (NEW.guild_id, NEW.user_id);
  END`,
  // The service never changes the key of a membership, but a direct change in the database could.
  `CREATE TRIGGER memberships_tell_of_moves AFTER UPDATE OF guild_id, user_id ON memberships
  WHEN NEW.guild_id <> OLD.guild_id OR NEW.user_id <> OLD.user_id
  BEGIN
    INSERT INTO member_changes (guild_id, user_id)
    VALUES (OLD.guild_id, OLD.user_id), (NEW.guild_id, NEW.user_id);
  END`,
  `CREATE TRIGGER users_tell_of_changes AFTER UPDATE OF username_text, global_name_text, bot ON users
  WHEN NEW.username_text <> OLD.username_text OR NEW.global_name_text IS NOT OLD.global_name_text OR NEW.bot <> OLD.bot
  BEGIN
    INSERT INTO member_changes (guild_id, user_id) SELECT guild_id, user_id FROM memberships WHERE user_id = NEW.id;
  END`
]
