import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import * as Migrations from "@community-messaging/storage-postgres/Migrations"
import { DEFAULT_SCHEMA, type PostgresOptions } from "@community-messaging/storage-postgres/PostgresOptions"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Fiber, Layer, Option, Predicate, Redacted } from "effect"
import * as Logged from "../../../test/Logged.ts"
import { emptyDatabase } from "../../../test/Postgres.ts"
import { clientOf } from "./SharedTransactions.ts"

const optionsOf = (url: string, options: Partial<PostgresOptions> = {}): PostgresOptions => ({
  url: Redacted.make(url),
  ...options
})

const server = (options: PostgresOptions) => Layer.build(StoragePostgres.layer(options))

/** Writes and reads through some ports. Returns the number of events after that; 0 if an entity differs. */
const use = Effect.gen(function*() {
  const [users, events, health] = [yield* UserRepository, yield* EventLog, yield* StorageHealth]
  const user = Samples.user()
  yield* users.save(user)
  yield* events.append(Samples.event(user.id))
  yield* health.write
  const isThere = (yield* health.isMigrated) && Option.isSome(yield* users.find(user.id))
  return isThere ? (yield* events.read(0, 10)).length : 0
})

/** Runs statements on a connection of its own. */
const session = (url: string) =>
  Effect.map(clientOf(url), (client) => (statement: string) => Effect.promise(() => client.query(statement)))

/** Another database with these options, until the scope ends. */
const databaseWith = (options: string) =>
  Effect.gen(function*() {
    const url = new URL(yield* emptyDatabase)
    const name = `other_${url.pathname.slice(1)}`
    yield* Effect.acquireRelease(
      LocalPostgres.execute(url.href, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`),
      () => Effect.orDie(LocalPostgres.execute(url.href, `DROP DATABASE ${name} WITH (FORCE)`))
    )
    return new URL(`/${name}`, url).href
  })

/** The sessions that wait for a lock of the table. */
const WAITING = `SELECT pid FROM pg_locks WHERE relation = '${DEFAULT_SCHEMA}.memberships'::regclass AND NOT granted`

const LOCK_MIGRATIONS = `SELECT pg_advisory_xact_lock(hashtextextended('${DEFAULT_SCHEMA}.migrate', 0))`

/** The sessions that wait for the lock of migrations. */
const WAITING_TO_MIGRATE = `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`

describe("the schema", () => {
  it.scopedLive("is created once by several servers that start at the same time", () =>
    Effect.gen(function*() {
      const options = optionsOf(yield* emptyDatabase)
      const servers = yield* Effect.all(Arrays.replicate(server(options), 5), { concurrency: "unbounded" })
      const used = yield* Effect.forEach(servers, (context) => Effect.provide(use, context))
      expect(used).toEqual([1, 2, 3, 4, 5])
    }))

  it.scopedLive("of a newer program is an error, and does not change", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      yield* Migrations.migrate(optionsOf(url))
      yield* LocalPostgres.execute(
        url,
        `INSERT INTO ${DEFAULT_SCHEMA}.community_messaging_migrations (migration_id, name) VALUES (1000, 'later')`
      )
      const error = yield* Effect.flip(server(optionsOf(url)))
      expect(error).toEqual(new Migrations.UnknownSchemaVersion({ found: 1000, known: Migrations.SCHEMA_VERSION }))
    }))

  it.scopedLive("that does not exist is not created by a server without `migrate`, which reports it", () =>
    Effect.gen(function*() {
      const options = optionsOf(yield* emptyDatabase, { migrate: false })
      const error = yield* Effect.flip(server(options))
      expect(error).toEqual(
        new Migrations.SchemaNotMigrated({ schema: DEFAULT_SCHEMA, found: 0, known: Migrations.SCHEMA_VERSION })
      )
      yield* Migrations.migrate(options)
      expect(yield* Effect.provide(use, yield* server(options))).toBe(1)
    }))

  it.scopedLive("is used by a role that may not change it", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const role = `user_${process.pid}_${Date.now()}`
      // Often set, so that nobody may execute functions of others.
      yield* LocalPostgres.execute(url, "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC")
      yield* Migrations.migrate(optionsOf(url))
      yield* Effect.acquireRelease(
        LocalPostgres.execute(
          url,
          `CREATE ROLE ${role} LOGIN PASSWORD 'secret';
          GRANT USAGE ON SCHEMA ${DEFAULT_SCHEMA} TO ${role};
          GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${DEFAULT_SCHEMA} TO ${role}`
        ),
        () => Effect.orDie(LocalPostgres.execute(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`))
      )
      const own = new URL(url)
      own.username = role
      own.password = "secret"
      expect(
        yield* Effect.scoped(Effect.flatMap(server(optionsOf(own.href)), (context) => Effect.provide(use, context)))
      )
        .toBe(1)
    }))

  it.scopedLive("of an earlier version is migrated with a line in the log before and after", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const lines = Logged.linesOf(Migrations.migrate(optionsOf(url)))
      expect([yield* lines, yield* lines]).toEqual([[], []])
      const from_version = Migrations.SCHEMA_VERSION - 1
      yield* LocalPostgres.execute(
        url,
        `DELETE FROM ${DEFAULT_SCHEMA}.community_messaging_migrations WHERE migration_id > ${from_version}`
      )
      const versions = { from_version, to_version: Migrations.SCHEMA_VERSION }
      expect(yield* lines).toEqual([
        [["The schema of the database is being migrated"], versions],
        [["The schema of the database is migrated"], versions]
      ])
    }))

  it.scopedLive("is migrated without a long wait of all readers for a session that uses a table, such as a dump", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      yield* Migrations.migrate(optionsOf(url))
      const [dump, reader] = [yield* session(url), yield* session(url)]
      const READ = "SELECT count(*) FROM memberships"
      // A migration that changes this table has not run yet, nor later ones.
      yield* dump(`DELETE FROM community_messaging_migrations WHERE migration_id >=
        (SELECT migration_id FROM community_messaging_migrations WHERE name = 'shown_member_changes');
        DROP INDEX avatars_by_bytes`)
      yield* dump(`BEGIN; ${READ}`)
      const migration = yield* Effect.fork(Migrations.migrate(optionsOf(url)))
      yield* Effect.repeat(reader(WAITING), { until: ({ rows }) => rows.length > 0 })
      yield* reader(READ)
      yield* dump("COMMIT")
      yield* Fiber.join(migration)
      expect(yield* Effect.provide(use, yield* server(optionsOf(url, { migrate: false })))).toBe(1)
    }))

  it.scopedLive("is migrated after the migration of another server, also if the role has a short timeout of statements", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const other = yield* session(url)
      yield* other(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET statement_timeout TO 300', current_database());
      END $$`)
      yield* other(`BEGIN; ${LOCK_MIGRATIONS}`)
      const migration = yield* Effect.fork(Migrations.migrate(optionsOf(url)))
      yield* Effect.repeat(other(WAITING_TO_MIGRATE), { until: ({ rows }) => rows.length > 0 })
      yield* other("SET LOCAL statement_timeout TO 0; SELECT pg_sleep(0.4)")
      yield* other("COMMIT")
      yield* Fiber.join(migration)
    }))

  it.scopedLive("is migrated without a session that waits to the end of another migration, also if its process is killed", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const other = yield* session(url)
      yield* other(`BEGIN; ${LOCK_MIGRATIONS}`)
      const migration = yield* Effect.fork(Logged.linesOf(Migrations.migrate(optionsOf(url))))
      yield* Effect.repeat(other(WAITING_TO_MIGRATE), { until: ({ rows }) => rows.length > 0 })
      yield* Effect.repeat(other(WAITING_TO_MIGRATE), { until: ({ rows }) => rows.length === 0 }).pipe(
        Effect.timeout("5 seconds")
      )
      yield* other("COMMIT")
      expect(yield* Fiber.join(migration)).toEqual([[
        [expect.stringMatching("^The migration waits, .* others migrate")],
        {}
      ]])
      expect(yield* Effect.provide(use, yield* server(optionsOf(url, { migrate: false })))).toBe(1)
    }))

  it.scopedLive("is separate from one with another name in the same database", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const servers = yield* Effect.forEach(["one", "other"], (schema) => server(optionsOf(url, { schema })))
      expect(yield* Effect.forEach(servers, (context) => Effect.provide(use, context))).toEqual([1, 1])
    }))

  it.scopedLive("orders avatars by their bytes, also in a database with the order of a language", () =>
    Effect.gen(function*() {
      const url = yield* databaseWith("LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
      const hashes = ["0f", "a0", "a_0", "a_f", "f0"].map((start) =>
        AvatarHash.make(start.padEnd(start.includes("_") ? 34 : 32, "0"))
      )
      const listed = Effect.gen(function*() {
        const avatars = yield* AvatarStore
        for (const hash of hashes) {
          yield* avatars.put({ hash, contentType: "image/png", animated: false, bytes: Uint8Array.of(1) })
        }
        return yield* avatars.list({ after: Option.none(), limit: 10 })
      })
      expect(yield* Effect.provide(listed, yield* server(optionsOf(url)))).toEqual(hashes)
    }))

  it.scopedLive("has a name that needs no quotes", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(server(optionsOf(yield* emptyDatabase, { schema: "a\"; DROP" })))
      expect(error).toMatchObject({ operation: "find the schema" })
    }))
})

describe("a database that cannot be used", () => {
  const causeOf = (error: unknown) =>
    error instanceof StorageError && Predicate.isError(error.cause) ? error.cause.message : String(error)

  const unusable: ReadonlyArray<readonly [why: string, change: (url: URL) => void, reason: string]> = [
    ["no server listens", (url) => void (url.port = "1"), "ECONNREFUSED"],
    ["the password is wrong", (url) => void (url.password = "wrong-one"), "password authentication failed"],
    ["it has no TLS, which the URL requires", (url) => void (url.search = "?sslmode=require"), "does not support SSL"]
  ]
  for (const [why, change, reason] of unusable) {
    it.scopedLive(`because ${why} is an error with that reason, without the password`, () =>
      Effect.gen(function*() {
        const url = new URL(yield* emptyDatabase)
        change(url)
        const error = yield* Effect.flip(server(optionsOf(url.href)))
        expect(causeOf(error)).toContain(reason)
        expect(causeOf(error)).not.toContain(url.password)
      }))
  }

  it.scopedLive("because its encoding is not UTF8 is an error with that reason", () =>
    Effect.forEach(["LATIN1", "SQL_ASCII"], (encoding) =>
      Effect.gen(function*() {
        const url = yield* databaseWith(`ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`)
        expect(causeOf(yield* Effect.flip(server(optionsOf(url))))).toContain(`is ${encoding}`)
      })))
})
