/** Guilds with their roles, channels and memberships. */
export const guilds = (): ReadonlyArray<string> => [
  `CREATE TABLE guilds (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    owner_id bigint NOT NULL
  )`,

  `CREATE TABLE roles (
    id bigint PRIMARY KEY,
    guild_id bigint NOT NULL REFERENCES guilds (id),
    name text NOT NULL,
    permissions text NOT NULL, -- decimal digits: there may be more than 64 bits
    managed_by bigint
  )`,
  "CREATE INDEX roles_by_guild ON roles (guild_id)",
  "CREATE INDEX roles_by_manager ON roles (guild_id, managed_by) WHERE managed_by IS NOT NULL",

  `CREATE TABLE channels (
    id bigint PRIMARY KEY,
    guild_id bigint NOT NULL REFERENCES guilds (id),
    name text NOT NULL
  )`,
  "CREATE INDEX channels_by_guild ON channels (guild_id)",

  `CREATE TABLE memberships (
    guild_id bigint NOT NULL REFERENCES guilds (id),
    user_id bigint NOT NULL REFERENCES users (id),
    nickname text,
    role_ids text NOT NULL, -- JSON
    joined_at bigint NOT NULL, -- Unix seconds
    join_source_type bigint,
    source_invite_code text,
    inviter_id bigint,
    nickname_text text, -- as member search compares it
    PRIMARY KEY (guild_id, user_id)
  )`,
  "CREATE INDEX memberships_by_user ON memberships (user_id, guild_id)",
  "CREATE INDEX memberships_by_joined_at ON memberships (guild_id, joined_at, user_id)"
]
