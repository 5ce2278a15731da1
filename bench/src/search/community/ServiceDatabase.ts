import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import SqliteDatabase from "better-sqlite3"
import { Effect, Layer } from "effect"
import type { CommunityMember } from "./Community.ts"

/** A guild to store, with its members. */
export interface StoredGuild {
  readonly guildId: GuildId
  readonly ownerId: UserId
  readonly members: ReadonlyArray<CommunityMember>
}

/** Creates the file with the schema of the adapter. */
const make = (filename: string): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(StorageSqlite.layer({ filename })))))

/** Drops the tables' indexes and triggers; the returned function creates them again. */
const withoutIndexes = (database: SqliteDatabase.Database): () => void => {
  const taken = database.prepare<[], { readonly type: string; readonly name: string; readonly sql: string }>(`
    SELECT type, name, sql FROM sqlite_master
    WHERE type IN ('index', 'trigger') AND tbl_name IN ('users', 'memberships') AND sql IS NOT NULL
  `).all()
  for (const { name, type } of taken) database.exec(`DROP ${type} ${name}`)
  return () => {
    for (const { sql } of taken) database.exec(sql)
  }
}

const writeUsers = (database: SqliteDatabase.Database, members: ReadonlyArray<CommunityMember>): void => {
  const insert = database.prepare(`
    INSERT INTO users (id, username, discriminator, global_name, bot, system, flags, suspicious_activity_flags, acls,
      traits, has_totp, authenticator_types, username_text, global_name_text)
    VALUES (?, ?, 0, ?, ?, 0, '0', 0, '[]', '[]', 0, '[]', ?, ?)
  `)
  for (const { globalName, globalNameText, isBot, userId, username, usernameText } of members) {
    insert.run(BigInt(userId), username, globalName, isBot ? 1 : 0, usernameText, globalNameText)
  }
}

const writeMemberships = (database: SqliteDatabase.Database, { guildId, members, ownerId }: StoredGuild): void => {
  const guild = BigInt(guildId)
  const insert = database.prepare(`
    INSERT INTO memberships (guild_id, user_id, nickname, role_ids, joined_at, join_source_type, source_invite_code,
      nickname_text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `)
  database.prepare("INSERT INTO guilds (id, name, owner_id) VALUES (?, 'Benchmark', ?)")
    .run(guild, BigInt(ownerId))
  for (const member of members) {
    const { joinSourceType, joinedAt, nickname, nicknameText, roleIds, sourceInviteCode } = member
    const userId = BigInt(member.userId)
    const roles = JSON.stringify(roleIds)
    insert.run(guild, userId, nickname, roles, joinedAt, joinSourceType, sourceInviteCode, nicknameText)
  }
}

// Rows in the order of their keys are appended to the B-tree, which is fast.
const byUser = (members: ReadonlyArray<CommunityMember>): ReadonlyArray<CommunityMember> =>
  members.toSorted((self, that) => Snowflake.compare(self.userId, that.userId))

/**
 * Creates a database of the service with the community's accounts and those guilds. Writes rows without the ports and the
 * triggers, which would take minutes, into the schema of the adapter's own migrations.
 */
export const write = async (
  filename: string,
  members: ReadonlyArray<CommunityMember>,
  guilds: ReadonlyArray<StoredGuild>
): Promise<void> => {
  await make(filename)
  const database = new SqliteDatabase(filename)
  try {
    // Without durability: if the machine fails, the run is lost anyway.
    database.pragma("synchronous = OFF")
    const journal = database.pragma("journal_mode", { simple: true })
    database.pragma("journal_mode = OFF")
    database.pragma("foreign_keys = OFF")
    database.pragma("cache_size = -500000")
    database.transaction(() => {
      const putIndexesBack = withoutIndexes(database)
      const sorted = byUser(members)
      writeUsers(database, sorted)
      for (const guild of guilds) {
        writeMemberships(database, { ...guild, members: guild.members === members ? sorted : byUser(guild.members) })
      }
      putIndexesBack()
    })()
    database.pragma("analysis_limit = 1000")
    database.exec("ANALYZE")
    database.pragma(`journal_mode = ${String(journal)}`)
  } finally {
    database.close()
  }
}
