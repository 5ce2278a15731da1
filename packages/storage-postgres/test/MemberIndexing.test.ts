import { memberIndexingContract } from "@community-messaging/domain-contract/MemberIndexingContract"
import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { MemberIndexMaxBytes, MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import * as CommittedMembersPostgres from "@community-messaging/storage-postgres/CommittedMembersPostgres"
import type { Connection } from "@community-messaging/storage-postgres/Connection"
import * as PostgresDatabase from "@community-messaging/storage-postgres/PostgresDatabase"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { Database } from "@community-messaging/storage-sql/Database"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect, Fiber, Layer, Redacted, Schema, TestClock, TestServices } from "effect"
import { clientOf } from "./SharedTransactions.ts"
import { migrated, temporaryStorage } from "./TemporaryDatabase.ts"

/** A storage, and the one connection that all of its statements share. */
const onOneConnection = Layer.unwrapScoped(
  Effect.map(
    migrated,
    (url) => Layer.provideMerge(StoragePostgres.ports, PostgresDatabase.layer({ url: Redacted.make(url), poolSize: 1 }))
  )
)

const onTheConnection = <A, E>(use: (connection: Connection) => Effect.Effect<A, E>) =>
  Effect.flatMap(PostgresDatabase.PostgresServer, ({ pool: { acquire, release } }) =>
    Effect.acquireUseRelease(
      Effect.uninterruptibleMask(acquire),
      use,
      (connection) => Effect.sync(() => release(connection))
    ))

/** Lets a new account with that name join the guild. */
const join = (guildId: GuildId, username: string) =>
  Effect.tap(Saved.user({ username }), ({ id: userId }) => Saved.membership({ guildId, userId }))

/** How often PostgreSQL plans a statement for its parameters, before it considers a generic plan. */
const PLANS_FOR_PARAMETERS = 5

const Explained = Schema.Tuple(Schema.Tuple(Schema.Tuple(Schema.Struct({
  Plan: Schema.Struct({ "Shared Hit Blocks": Schema.Int, "Shared Read Blocks": Schema.Int })
}))))

/** The number of pages that the look-up of a guild's last change reads, when all changes are in the log. */
const pagesOfLastChange = (connection: Connection, guildId: string) =>
  connection.values(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    SELECT last_member_change(pg_snapshot_xmax(pg_current_snapshot()), ${guildId})`,
    []
  ).pipe(
    Effect.flatMap(Schema.decodeUnknown(Explained)),
    Effect.map(([[[{ Plan }]]]) => Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"])
  )

describe("PostgreSQL", () => {
  memberIndexingContract(({ maxBytes, membersAtOnce }) =>
    temporaryStorage.pipe(
      membersAtOnce === undefined
        ? (layer) => layer
        : Layer.provide(Layer.succeed(MembersIndexedAtOnce, membersAtOnce)),
      maxBytes === undefined ? (layer) => layer : Layer.provide(Layer.succeed(MemberIndexMaxBytes, maxBytes))
    )
  )

  it.effect("searches that find few members do not plan the read of each page", () =>
    Effect.gen(function*() {
      const { id: guildId } = yield* Saved.guild()
      // A search each, because a member that was found before is not read again.
      const offsets = Arrays.makeBy(2 * PLANS_FOR_PARAMETERS, (offset) => offset)
      yield* Effect.forEach(offsets, () => join(guildId, "ada"))
      // With the few rows here, the planner estimates that planning costs more than reading any number of members.
      yield* onTheConnection((connection) => connection.command("SET cpu_operator_cost TO 0.000001"))
      yield* Effect.forEach(offsets, (offset) => searchMembers(guildId, MemberQuery.make({ limit: 1, offset })))
      const plans = yield* onTheConnection((connection) =>
        connection.values(
          "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE statement LIKE ?",
          ["%u.discriminator%"]
        )
      )
      expect(plans).toEqual([[PLANS_FOR_PARAMETERS, PLANS_FOR_PARAMETERS]])
    }).pipe(Effect.provide(onOneConnection)))

  it.scoped("the build of an index that waits for a connection can be interrupted", () =>
    Effect.gen(function*() {
      const { logs, pool } = yield* PostgresDatabase.PostgresServer
      const asked = yield* Deferred.make<void>()
      const noting: typeof pool = {
        ...pool,
        acquire: (restore) => Effect.zipRight(Deferred.succeed(asked, undefined), pool.acquire(restore))
      }
      const { id: guildId } = yield* Saved.guild()
      const database = yield* Database
      const building = Effect.scoped(CommittedMembersPostgres.make({ logs, pool: noting }, database).snapshot(guildId))
      yield* onTheConnection(() =>
        Effect.gen(function*() {
          const fiber = yield* Effect.forkDaemon(building)
          yield* Deferred.await(asked)
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(fiber).pipe(Effect.timeout("2 seconds"), TestServices.provideLive)
        })
      )
    }).pipe(Effect.provide(onOneConnection)))

  it.effect("searches read no changes that were moved to the log, although vacuum has not removed them yet", () =>
    Effect.gen(function*() {
      const { id: guildId } = yield* Saved.guild()
      // The table is now empty, so the planner estimates no cost for a scan of it.
      yield* onTheConnection((connection) => connection.command("VACUUM ANALYZE new_member_changes"))
      yield* Effect.replicateEffect(searchMembers(guildId, MemberQuery.make({})), 2 * PLANS_FOR_PARAMETERS)
      const pages = onTheConnection((connection) => pagesOfLastChange(connection, guildId))
      const pagesMore = Effect.gen(function*() {
        // Not zero: members of earlier tests were in the database.
        const before = yield* pages
        yield* onTheConnection((connection) =>
          connection.command(`
            INSERT INTO new_member_changes (guild_id, user_id) SELECT 1, id FROM generate_series(1, 20000) AS id;
            DELETE FROM new_member_changes`)
        )
        return (yield* pages) - before
      })
      // The median: a call reads hundreds of pages of the catalog if other databases of the server have changed theirs.
      const [, more] = (yield* Effect.replicateEffect(pagesMore, 3)).toSorted((self, that) => self - that)
      expect(more).toBeLessThan(20)
    }).pipe(Effect.provide(onOneConnection)))

  it.effect("a search is right after the database has lost changes, although later ones have the same numbers", () =>
    Effect.gen(function*() {
      const { id: guildId } = yield* Saved.guild()
      const found = (text: string) =>
        Effect.map(searchMembers(guildId, MemberQuery.make({ text })), ({ total }) => total)
      yield* Effect.replicateEffect(join(guildId, "lost"), 3)
      expect(yield* found("lost")).toBe(3)
      // As if a standby that has not received them had taken over.
      yield* onTheConnection((connection) =>
        connection.command(`
          SET session_replication_role TO replica;
          DELETE FROM memberships;
          DELETE FROM member_changes;
          ALTER TABLE member_changes ALTER COLUMN sequence RESTART;
          RESET session_replication_role`)
      )
      yield* Effect.replicateEffect(join(guildId, "later"), 5)
      expect(yield* found("later")).toBe(5)
    }).pipe(Effect.provide(onOneConnection)))

  it.effect("a search is right soon after the database has lost a change, also if another guild's index has its successor", () =>
    Effect.gen(function*() {
      const { id: guildId } = yield* Saved.guild()
      const { id: other } = yield* Saved.guild()
      const found = (guild: GuildId, text: string) =>
        Effect.map(
          searchMembers(guild, MemberQuery.make({ text })),
          ({ members }) => members.map(({ username }) => username)
        )
      const { id } = yield* join(guildId, "before")
      const rename = (name: string) =>
        `UPDATE users SET username = '${name}', username_text = '${name}' WHERE id = ${id}`
      yield* onTheConnection((connection) => connection.command(rename("lost")))
      const known = yield* found(guildId, "lost")
      yield* onTheConnection((connection) =>
        connection.command(`
          SET session_replication_role TO replica;
          ${rename("before")};
          DELETE FROM member_changes WHERE sequence = 2;
          ALTER TABLE member_changes ALTER COLUMN sequence RESTART WITH 2;
          RESET session_replication_role`)
      )
      yield* join(other, "successor")
      const successor = yield* found(other, "")
      yield* TestClock.adjust("1 second")
      expect([known, successor, yield* found(guildId, "lost"), yield* found(guildId, "before")])
        .toEqual([["lost"], ["successor"], [], ["before"]])
    }).pipe(Effect.provide(onOneConnection)))

  it.scoped("a guild without changes is searched while no event can be numbered, and one with changes when they are numbered", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const client = yield* clientOf(url)
      yield* Effect.gen(function*() {
        const [{ id: unchanged }, { id: changed }] = [yield* Saved.guild(), yield* Saved.guild()]
        yield* Effect.forEach([unchanged, changed], (guildId) => join(guildId, "ada"))
        const total = (guildId: GuildId) =>
          Effect.map(searchMembers(guildId, MemberQuery.make({})), (page) => page.total)
        yield* Effect.forEach([unchanged, changed], total)
        yield* Effect.promise(() => client.query("BEGIN; LOCK TABLE events IN SHARE MODE"))
        const { id } = yield* join(changed, "grace")
        yield* Effect.flatMap(EventLog, ({ append }) => append(Samples.event(id)))
        yield* TestClock.adjust("1 second")
        expect(yield* total(unchanged).pipe(Effect.timeout("2 seconds"), TestServices.provideLive)).toBe(1)
        const later = yield* Effect.fork(total(changed))
        yield* Effect.promise(() => client.query("COMMIT"))
        expect(yield* Fiber.join(later)).toBe(2)
      }).pipe(Effect.provide(StoragePostgres.layer({ url: Redacted.make(url) })))
    }))
})
