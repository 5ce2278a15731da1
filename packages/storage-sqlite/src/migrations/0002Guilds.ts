/** Guilds with their roles, channels and memberships. */
export const guilds: ReadonlyArray<string> = [
  `CREATE TABLE guilds (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    owner_id INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE roles (
    id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    name TEXT NOT NULL,
    permissions TEXT NOT NULL, -- decimal digits: there may be more than 64 bits
    managed_by INTEGER
  ) STRICT`,
  "CREATE INDEX roles_by_guild ON roles (guild_id)",
  "CREATE INDEX roles_by_manager ON roles (guild_id, managed_by) WHERE managed_by IS NOT NULL",

  `CREATE TABLE channels (
    id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    name TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX channels_by_guild ON channels (guild_id)",

  `CREATE TABLE memberships (
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    nickname TEXT,
    role_ids TEXT NOT NULL, -- JSON
    joined_at INTEGER NOT NULL, -- Unix seconds
    join_source_type INTEGER,
    source_invite_code TEXT,
    inviter_id INTEGER,
    nickname_text TEXT, -- as member search compares it
    PRIMARY KEY (guild_id, user_id)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX memberships_by_user ON memberships (user_id, guild_id)",
  "CREATE INDEX memberships_by_joined_at ON memberships (guild_id, joined_at, user_id)",

  // The roles of members, for search. Triggers derive the rows from memberships.role_ids.
  `CREATE TABLE member_roles (
    guild_id INTEGER NOT NULL,
    role_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, role_id),
    FOREIGN KEY (guild_id, user_id) REFERENCES memberships (guild_id, user_id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX member_roles_by_role ON member_roles (guild_id, role_id, user_id)",
  `CREATE TRIGGER memberships_add_roles AFTER INSERT ON memberships
  BEGIN
    INSERT INTO member_roles (guild_id, role_id, user_id)
    SELECT DISTINCT NEW.guild_id, value, NEW.user_id FROM json_each(NEW.role_ids);
  END`,
  `CREATE TRIGGER memberships_change_roles AFTER UPDATE OF role_ids ON memberships WHEN NEW.role_ids <> OLD.role_ids
  BEGIN
    DELETE FROM member_roles WHERE guild_id = NEW.guild_id AND user_id = NEW.user_id;
    INSERT INTO member_roles (guild_id, role_id, user_id)
    SELECT DISTINCT NEW.guild_id, value, NEW.user_id FROM json_each(NEW.role_ids);
  END`
]
