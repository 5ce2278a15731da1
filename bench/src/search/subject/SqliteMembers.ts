import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import SqliteDatabase from "better-sqlite3"
import type { Community } from "../community/Community.ts"
import type { Found } from "../SearchSubject.ts"
import { joined, type Part } from "./SqlText.ts"

/*
 * The tables that LIKE and FTS5 search: no join for names, and an index for every filter. Rows of members are numbered
 * in the order of joining, so that FTS5 finds members in the order of the page: an advantage that a real table does not
 * have.
 */
const SCHEMA = `
  CREATE TABLE members (
    position INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    global_name TEXT,
    nickname TEXT,
    role_ids TEXT NOT NULL,
    joined_at INTEGER NOT NULL,
    join_source_type INTEGER,
    source_invite_code TEXT,
    bot INTEGER NOT NULL,
    username_text TEXT NOT NULL,
    global_name_text TEXT,
    nickname_text TEXT
  ) STRICT;
  CREATE TABLE member_roles (
    guild_id INTEGER NOT NULL,
    role_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (guild_id, role_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE member_text USING fts5 (
    username_text, global_name_text, nickname_text,
    content = 'members', content_rowid = 'position', tokenize = 'trigram case_sensitive 1'
  );
`

const INDEXES = `
  INSERT INTO member_roles
    SELECT guild_id, CAST(value AS INTEGER) AS role_id, position FROM members, json_each(role_ids)
    ORDER BY guild_id, role_id, position;
  CREATE UNIQUE INDEX members_by_user ON members (guild_id, user_id);
  CREATE INDEX members_by_joined_at ON members (guild_id, joined_at);
  CREATE INDEX members_by_source ON members (guild_id, join_source_type);
  CREATE INDEX members_by_invite ON members (guild_id, source_invite_code);
  CREATE INDEX members_by_username ON members (guild_id, username_text);
  CREATE INDEX members_by_global_name ON members (guild_id, global_name_text);
  CREATE INDEX members_by_nickname ON members (guild_id, nickname_text);
  INSERT INTO member_text (member_text) VALUES ('rebuild');
  INSERT INTO member_text (member_text) VALUES ('optimize');
  PRAGMA analysis_limit = 1000;
  ANALYZE;
`

/** A database of members. */
export interface SqliteMembers {
  readonly load: (community: Community) => void
  /** Runs both statements, prepared once: the ids of the page and the number of all. */
  readonly find: (page: Part, total: Part) => Found
  readonly close: () => void
}

const load = (database: SqliteDatabase.Database, { guildId, members }: Community): void => {
  const guild = BigInt(guildId)
  const insert = database.prepare(`INSERT INTO members VALUES (${Array.from({ length: 14 }, () => "?").join(", ")})`)
  database.transaction(() => {
    members.forEach((member, position) => {
      insert.run(
        position,
        guild,
        BigInt(member.userId),
        member.username,
        member.globalName,
        member.nickname,
        JSON.stringify(member.roleIds),
        member.joinedAt,
        member.joinSourceType,
        member.sourceInviteCode,
        member.isBot ? 1 : 0,
        member.usernameText,
        member.globalNameText,
        member.nicknameText
      )
    })
  })()
}

/** Makes the file. */
export const open = (filename: string): SqliteMembers => {
  const database = new SqliteDatabase(filename)
  // Without durability: if the machine fails, the run is lost anyway.
  database.pragma("journal_mode = OFF")
  database.pragma("synchronous = OFF")
  // All data stays in memory.
  database.pragma("cache_size = -2000000")
  database.exec(SCHEMA)

  const once = <Row>() => {
    const prepared = new Map<string, SqliteDatabase.Statement<Array<unknown>, Row>>()
    return (sql: string): SqliteDatabase.Statement<Array<unknown>, Row> => {
      const statement = prepared.get(sql) ?? database.prepare<Array<unknown>, Row>(sql)
      prepared.set(sql, statement)
      return statement
    }
  }
  const pages = once<{ readonly user_id: string }>()
  const totals = once<{ readonly total: number }>()

  return {
    load: (community) => {
      load(database, community)
      database.exec(INDEXES)
    },
    find: (page, total) => ({
      userIds: pages(page.sql).all(...page.values).map(({ user_id: userId }) => userId),
      total: totals(total.sql).get(...total.values)?.total ?? 0
    }),
    close: () => void database.close()
  }
}

/** The version of SQLite. */
export const version = (): string => {
  const database = new SqliteDatabase(":memory:")
  const found = database.prepare<[], { readonly version: string }>("SELECT sqlite_version() AS version").get()
  database.close()
  return found?.version ?? ""
}

/** Joins that leave the members with all roles; `position` is the SQL of their row number. */
export const roleJoins = (guildId: GuildId, { roleIds }: MemberQuery, position: string): Part =>
  joined(
    roleIds.map((roleId, index) => ({
      sql:
        `JOIN member_roles r${index} ON r${index}.guild_id = ? AND r${index}.role_id = ? AND r${index}.position = ${position}`,
      values: [BigInt(guildId), BigInt(roleId)]
    })),
    " "
  )
