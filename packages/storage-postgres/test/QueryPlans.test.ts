import * as Saved from "@community-messaging/domain-contract/Saved"
import { searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as PostgresDatabase from "@community-messaging/storage-postgres/PostgresDatabase"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import type { Client } from "pg"
import { clientOf } from "./SharedTransactions.ts"
import { migrated } from "./TemporaryDatabase.ts"

/** A storage with one connection, which has prepared all of its statements. */
const onOneConnection = (url: string) =>
  Layer.provideMerge(StoragePostgres.ports, PostgresDatabase.layer({ url: Redacted.make(url), poolSize: 1 }))

/**
 * Half of the members are in one guild, and each other one is alone in a guild. They are so many that reading all of them
 * costs nearly twice as much as looking up a hundred: with half as many, both plans cost nearly the same.
 */
const MOST_GUILDS_ARE_SMALL = `
  SET LOCAL session_replication_role TO replica;
  INSERT INTO users (id, username, discriminator, bot, system, flags, suspicious_activity_flags, acls, traits, has_totp,
    authenticator_types, username_text)
  SELECT id, 'ada', 0, false, false, '0', 0, '[]', '[]', false, '[]', 'ada' FROM generate_series(1, 40000) AS id;
  INSERT INTO memberships (guild_id, user_id, role_ids, joined_at)
  SELECT CASE WHEN id % 2 = 0 THEN 1 ELSE id END, id, '[]', id FROM generate_series(1, 40000) AS id;
  ANALYZE users, memberships`

/** An index that begins with the guild and the account, and a condition for both. In another one, all of a guild is visited. */
const BY_ACCOUNT = /using memberships_(by_user|pkey) (?=.* Index Cond: .*guild_id = ).* Index Cond: .*user_id = /

const decodeTexts = Schema.decodeUnknown(Schema.Array(Schema.Tuple(Schema.String)))

/** The texts of the prepared statements that are like the pattern. */
const preparedLike = (pattern: string) =>
  Effect.flatMap(PostgresDatabase.PostgresServer, ({ pool: { acquire, release } }) =>
    Effect.acquireUseRelease(
      Effect.uninterruptibleMask(acquire),
      (connection) =>
        connection.values("SELECT statement FROM pg_prepared_statements WHERE statement LIKE ?", [pattern]),
      (connection) => Effect.sync(() => release(connection))
    )).pipe(Effect.flatMap(decodeTexts), Effect.map((rows) => rows.flat()))

/** The scans of memberships in the plans of the statements for any parameters, each with its condition. */
const scansOf = (client: Client, statements: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    yield* Effect.promise(() => client.query(`BEGIN; ${MOST_GUILDS_ARE_SMALL}`))
    const plans = yield* Effect.forEach(statements, (statement) =>
      Effect.promise(() =>
        client.query<[string]>({ text: `EXPLAIN (GENERIC_PLAN) ${statement}`, rowMode: "array" })
      ))
    yield* Effect.promise(() => client.query("ROLLBACK"))
    return plans.map(({ rows }) => rows.flat()).flatMap((lines) =>
      lines.flatMap((line, index) => line.includes(" on memberships") ? [`${line} ${lines[index + 1]}`] : [])
    )
  })

describe("plans of PostgreSQL for any parameters", () => {
  it.scoped.each(
    [
      ["the members of a page of a search", "%AS wanted%"],
      ["the memberships of accounts", "%FROM memberships WHERE%user_id) IN (%"]
    ] as const
  )("%s are found by their accounts, also if most guilds are small", ([, pattern]) =>
    Effect.gen(function*() {
      const url = yield* migrated
      const statements = yield* Effect.gen(function*() {
        const [{ id: guildId }, { id: userId }] = [yield* Saved.guild(), yield* Saved.user()]
        yield* Saved.membership({ guildId, userId })
        yield* searchMembers(guildId, MemberQuery.make({}))
        yield* Effect.flatMap(MembershipRepository, ({ findAll }) => findAll(guildId, [userId]))
        return yield* preparedLike(pattern)
      }).pipe(Effect.provide(onOneConnection(url)))
      const scans = yield* scansOf(yield* clientOf(url), statements)
      expect(scans).not.toEqual([])
      expect(scans.filter((scan) => !BY_ACCOUNT.test(scan))).toEqual([])
    }))
})
