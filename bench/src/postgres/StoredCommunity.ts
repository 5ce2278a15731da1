/* oxlint-disable no-await-in-loop -- The rows go through one connection. */
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import type { CommunityMember } from "../search/community/Community.ts"
import type { StoredGuild } from "../search/community/ServiceDatabase.ts"

/** Rows of a statement. */
const AT_A_TIME = 10_000

/** Creates the schema of the adapter. */
const migrate = (url: string): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(StoragePostgres.layer({ url: Redacted.make(url) })))))

const column = <A>(members: ReadonlyArray<CommunityMember>, of: (member: CommunityMember) => A): ReadonlyArray<A> =>
  members.map(of)

const insertUsers = (client: Client, members: ReadonlyArray<CommunityMember>) =>
  client.query(
    `INSERT INTO users (id, username, discriminator, global_name, bot, system, flags, suspicious_activity_flags, acls,
      traits, has_totp, authenticator_types, username_text, global_name_text)
    SELECT id, username, 0, global_name, bot, false, '0', 0, '[]', '[]', false, '[]', username_text, global_name_text
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[])
      AS member (id, username, global_name, bot, username_text, global_name_text)`,
    [
      column(members, ({ userId }) => userId),
      column(members, ({ username }) => username),
      column(members, ({ globalName }) => globalName),
      column(members, ({ isBot }) => isBot),
      column(members, ({ usernameText }) => usernameText),
      column(members, ({ globalNameText }) => globalNameText)
    ]
  )

const insertMemberships = (client: Client, guildId: string, members: ReadonlyArray<CommunityMember>) =>
  client.query(
    `INSERT INTO memberships (guild_id, user_id, nickname, role_ids, joined_at, join_source_type, source_invite_code,
      nickname_text)
    SELECT $1::bigint, member.*
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[]) AS member`,
    [
      guildId,
      column(members, ({ userId }) => userId),
      column(members, ({ nickname }) => nickname),
      column(members, ({ roleIds }) => JSON.stringify(roleIds)),
      column(members, ({ joinedAt }) => joinedAt),
      column(members, ({ joinSourceType }) => joinSourceType),
      column(members, ({ sourceInviteCode }) => sourceInviteCode),
      column(members, ({ nicknameText }) => nicknameText)
    ]
  )

/**
 * Stores a guild with its members in an empty database. Writes rows without the ports and the triggers, which would take
 * minutes, into the schema of the adapter's own migrations.
 */
export const write = async (url: string, { guildId, members, ownerId }: StoredGuild): Promise<void> => {
  await migrate(url)
  const client = new Client({ connectionString: url, options: "-c search_path=community_messaging" })
  await client.connect()
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role TO replica")
    await client.query("INSERT INTO guilds (id, name, owner_id) VALUES ($1, 'Benchmark', $2)", [guildId, ownerId])
    for (let first = 0; first < members.length; first += AT_A_TIME) {
      const some = members.slice(first, first + AT_A_TIME)
      await insertUsers(client, some)
      await insertMemberships(client, guildId, some)
    }
    await client.query("COMMIT")
    // Otherwise autovacuum does it a minute later, during the searches.
    await client.query("VACUUM ANALYZE")
  } finally {
    await client.end()
  }
}
