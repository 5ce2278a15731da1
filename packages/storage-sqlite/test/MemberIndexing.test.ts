import { memberIndexingContract } from "@community-messaging/domain-contract/MemberIndexingContract"
import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { searchFor, searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MAX_IN_ANY_ORDER } from "@community-messaging/member-index/CommittedMembers"
import { MemberIndexMaxBytes, MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import { STATEMENTS } from "@community-messaging/storage-sqlite/CommittedMembersSqlite"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { temporaryFilename, temporaryStorage, temporaryStorageWithClient } from "./TemporaryDatabase.ts"

/** No fresh id is among the 100,000 numbers after it. */
const NOT_FRESH = 200_000_000

describe("SQLite", () => {
  memberIndexingContract(({ maxBytes, membersAtOnce }) =>
    temporaryStorage.pipe(
      membersAtOnce === undefined
        ? (layer) => layer
        : Layer.provide(Layer.succeed(MembersIndexedAtOnce, membersAtOnce)),
      maxBytes === undefined ? (layer) => layer : Layer.provide(Layer.succeed(MemberIndexMaxBytes, maxBytes))
    )
  )
})

/** A guild with one member. */
const guildWithOne = Effect.gen(function*() {
  const user = yield* Saved.user({ username: "before" })
  const { id: guildId } = yield* Saved.guild()
  const membership = Samples.membership({ guildId, userId: user.id })
  yield* (yield* MembershipRepository).save(membership)
  return { guildId, membership, user }
})

/** The usernames of the guild's members. */
const everybody = (guildId: GuildId) =>
  Effect.map(
    searchMembers(guildId, MemberQuery.make({ sortOrder: "asc" })),
    ({ members }) => members.map(({ username }) => username)
  )

const rename = (user: Parameters<UserRepository["Type"]["save"]>[0], username: string) =>
  Effect.flatMap(UserRepository, ({ save }) => save({ ...user, username }))

describe("a member index on SQLite", () => {
  it.scoped("is built again after a restart", () =>
    Effect.gen(function*() {
      const storage = StorageSqlite.layer({ filename: yield* temporaryFilename })
      const { guildId } = yield* Effect.provide(Effect.tap(guildWithOne, ({ guildId: id }) => everybody(id)), storage)
      expect(yield* Effect.provide(everybody(guildId), storage)).toEqual(["before"])
    }))

  it.effect.each<readonly [which: string, forget: string]>([
    ["some of", "DELETE FROM member_changes WHERE sequence < (SELECT max(sequence) FROM member_changes)"],
    ["all of", "DELETE FROM member_changes"]
  ])("is built again if %s the later changes are removed from the log", ([, forget]) =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { guildId, user } = yield* guildWithOne
      const other = yield* guildWithOne
      yield* everybody(guildId)
      yield* rename(user, "after")
      yield* rename(other.user, "after")
      yield* sql.unsafe(forget)
      const found = [yield* everybody(guildId)]
      yield* rename(user, "later")
      expect([...found, yield* everybody(guildId)]).toEqual([["after"], ["later"]])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("has changes that are made with SQL", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { guildId, user } = yield* guildWithOne
      const other = yield* guildWithOne
      const found = [yield* everybody(guildId), yield* everybody(other.guildId)]
      yield* sql`UPDATE memberships SET guild_id = ${other.guildId} WHERE user_id = ${user.id}`
      expect([...found, yield* everybody(guildId), yield* everybody(other.guildId)])
        .toEqual([["before"], ["before"], [], ["before", "before"]])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("gets no change of fields that members do not show", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { user } = yield* guildWithOne
      const last = sql`SELECT max(sequence) AS last FROM member_changes`
      const before = yield* last
      yield* Effect.flatMap(UserRepository, ({ save }) => save({ ...user, bio: Option.some("a countess") }))
      expect([before, yield* last]).toEqual([[{ last: 1 }], [{ last: 1 }]])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect.each<readonly [which: string, size: number]>([
    ["that are sorted in memory", MAX_IN_ANY_ORDER],
    ["that are too many to be sorted in memory", MAX_IN_ANY_ORDER + 1]
  ])("has all members, %s, in the order of their joining", ([, size]) =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { guildId, user } = yield* guildWithOne
      yield* sql.unsafe(
        `INSERT INTO users (id, username, username_text, discriminator, bot, system, flags, suspicious_activity_flags, acls,
          traits, has_totp, authenticator_types)
        WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
        SELECT ? + number, 'ada', 'ada', 0, 0, 0, '0', 0, '[]', '[]', 0, '[]' FROM numbers`,
        [size - 1, NOT_FRESH]
      )
      // Members with larger ids join earlier, two in each second.
      yield* sql`
        INSERT INTO memberships (guild_id, user_id, role_ids, joined_at, nickname, nickname_text)
        SELECT ${guildId}, id, CASE WHEN id % 2 = 0 THEN '["5"]' ELSE '["5","6"]' END, -id / 2, 'É', 'é\u{1F98A}'
        FROM users WHERE id <> ${user.id}
      `
      const page = yield* searchMembers(guildId, MemberQuery.make({ sortOrder: "asc", limit: 4 }))
      const first = size % 2 === 0 ? [-2, -1, -4, -3] : [-1, -3, -2, -5]
      expect([page.total, ...page.members.map(({ userId }) => Number(userId) - NOT_FRESH - size)]).toEqual([
        size,
        ...first
      ])
      const odd = yield* searchMembers(
        guildId,
        MemberQuery.make({ text: "\u{1F98A}", roleIds: [RoleId.make("5"), RoleId.make("6")] })
      )
      expect(odd.total).toBe(Math.floor(size / 2))
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect.each<readonly [what: string, query: Parameters<typeof MemberQuery.make>[0]]>([
    ["a null character", { text: "\u0000" }],
    ["a character beyond the basic plane", { text: "\u{1F98A}" }],
    ["an empty invite code", { sourceInviteCodes: [""] }],
    ["a role of an array with white space", { roleIds: [RoleId.make("6")] }]
  ])("finds a member by %s", ([, query]) =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { guildId, membership } = yield* guildWithOne
      const found = yield* Saved.user({ username: "fox\u0000\u{1F98A}" })
      yield* (yield* MembershipRepository).save({
        ...membership,
        userId: found.id,
        sourceInviteCode: Option.some("")
      })
      yield* sql`UPDATE memberships SET role_ids = '[ "5", "6" ]' WHERE user_id = ${found.id}`
      const { members } = yield* searchMembers(guildId, MemberQuery.make(query))
      expect(members.map(({ userId }) => userId)).toEqual([found.id])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect.each([
    ["memberships", "role_ids = '[\"-1\"]'"],
    ["memberships", "role_ids = '[1]'"],
    ["memberships", "role_ids = '{}'"],
    ["memberships", "role_ids = 'no JSON'"],
    ["users", "bot = 2"]
  ])("fails if a row of %s is invalid: %s", ([table, change]) =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { guildId, user } = yield* guildWithOne
      yield* sql.unsafe(`UPDATE ${table} SET ${change}`)
      const searching = searchFor(UserId.make("9"), guildId, MemberQuery.make({}))
      expect((yield* Effect.flip(searching)).message).toBe(
        `Storage failed: read rows of memberships: invalid row of ${user.id}`
      )
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("texts that are not UTF-8, changed with SQL,", () => {
  const withNickname = (bytes: string, query: Parameters<typeof MemberQuery.make>[0]) =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { guildId } = yield* guildWithOne
      yield* sql.unsafe(`UPDATE memberships SET nickname_text = CAST(x'${bytes}' AS TEXT)`)
      return yield* searchFor(UserId.make("9"), guildId, MemberQuery.make(query))
    }).pipe(Effect.provide(temporaryStorageWithClient))

  it.effect("have U+FFFD in an index", () =>
    Effect.gen(function*() {
      expect((yield* withNickname("61e962", { text: "a\ufffdb" })).total).toBe(1)
    }))

  it.effect.each<readonly [what: string, bytes: string]>([
    ["a byte that ends a field", "61ff62"],
    // The fields of a member with the id 1.
    ["another member", Buffer.from("ada|1|0|0|0|[]|0|eve||").toString("hex").replaceAll("7c", "ff")]
  ])("fail with %s", ([, bytes]) =>
    Effect.gen(function*() {
      expect((yield* Effect.flip(withNickname(bytes, {}))).message)
        .toMatch(/^Storage failed: read rows of memberships: invalid row/)
    }))
})

const Plan = Schema.Array(Schema.Struct({ detail: Schema.String }))

describe("query plans of member search", () => {
  it.layer(temporaryStorageWithClient)((it) => {
    it.effect.each(Object.entries(STATEMENTS))(
      "no statement scans a whole table: %s",
      ([, statement]) =>
        Effect.gen(function*() {
          const sql = yield* SqliteClient.SqliteClient
          const parameters = Array.from({ length: statement.split("?").length - 1 }, () => "[1]")
          const plan = yield* Effect.flatMap(
            sql.unsafe(`EXPLAIN QUERY PLAN ${statement}`, parameters),
            Schema.decodeUnknown(Plan)
          )
          expect(plan.length).toBeGreaterThan(0)
          expect(
            plan.map(({ detail }) => detail).filter((detail) =>
              (detail.startsWith("SCAN") && !/CONSTANT ROW|VIRTUAL TABLE|subquery/.test(detail)) ||
              (detail.startsWith("SEARCH") && !/ USING |^SEARCH member_changes$/.test(detail))
            )
          ).toEqual([])
        })
    )

    it.effect("the next batch of members who joined in the same second is read without the earlier ones", () =>
      Effect.gen(function*() {
        const sql = yield* SqliteClient.SqliteClient
        const plan = yield* Effect.flatMap(
          sql.unsafe(`EXPLAIN QUERY PLAN ${STATEMENTS.nextByJoining}`, ["1", 1, "1", 1]),
          Schema.decodeUnknown(Plan)
        )
        expect(plan.map(({ detail }) => detail).join("\n")).toContain("(guild_id=? AND (joined_at,user_id)>(?,?))")
      }))
  })
})
