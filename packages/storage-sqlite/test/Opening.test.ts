import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Database } from "@community-messaging/storage-sql/Database"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { Fragment } from "@community-messaging/storage-sql/Statements"
import { type Connection, type ConnectionOptions, Connector } from "@community-messaging/storage-sqlite/Connection"
import * as DatabaseFile from "@community-messaging/storage-sqlite/DatabaseFile"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import { strictTexts } from "@community-messaging/storage-sqlite/migrations/0010StrictTexts"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Exit, Layer, Option, Schema } from "effect"
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Logged from "../../../test/Logged.ts"
import {
  temporaryFilename,
  temporaryStorageWithClient,
  temporaryStorageWithDatabase,
  withClient
} from "./TemporaryDatabase.ts"

/** A connector whose connections run statements in this way. */
const connectorThat = (
  run: (connection: Connection, ...given: Parameters<Connection["run"]>) => ReturnType<Connection["run"]>
) =>
  Effect.map(Connector, ({ open }) => ({
    open: (options: ConnectionOptions) =>
      Effect.map(open(options), (connection): Connection => ({
        ...connection,
        run: (text, parameters) => run(connection, text, parameters)
      }))
  }))

const openAndClose = (filename: string) => Effect.scoped(Layer.build(StorageSqlite.layer({ filename })))

/** A file that was opened before. */
const opened = Effect.tap(temporaryFilename, openAndClose)

describe("opening a database", () => {
  it.scoped("a new file, and those that SQLite keeps beside it, can be accessed by their owner only", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      // With this one, as on most systems, others may read new files by default.
      const usual = process.umask(0o022)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(usual)))
      yield* Layer.build(StorageSqlite.layer({ filename }))
      const modes = readdirSync(dirname(filename)).map((name) => [
        name,
        statSync(join(dirname(filename), name)).mode & 0o777
      ])
      expect(Object.fromEntries(modes)).toEqual({
        "storage.db": 0o600,
        "storage.db-shm": 0o600,
        "storage.db-wal": 0o600
      })
    }))

  it.scoped("a file that exists keeps its mode", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      writeFileSync(filename, "")
      chmodSync(filename, 0o640)
      yield* openAndClose(filename)
      expect(statSync(filename).mode & 0o777).toBe(0o640)
    }))

  it.scoped("a new file that is opened several times, also at the same time, is migrated once", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* Effect.replicateEffect(openAndClose(filename), 4, { concurrency: "unbounded" })
      yield* openAndClose(filename)
      const run = yield* withClient(filename)((sql) => sql`SELECT migration_id FROM community_messaging_migrations`)
      expect(run).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ migration_id: index + 1 })))
    }))

  it.scoped("a database of a newer version is rejected, and not rewritten", () =>
    Effect.gen(function*() {
      const filename = yield* opened
      const modes = withClient(filename)((sql) => Effect.all([sql`PRAGMA auto_vacuum`, sql`PRAGMA journal_mode`]))
      yield* withClient(filename)((sql) =>
        Effect.all([
          sql`INSERT INTO community_messaging_migrations (migration_id, name) VALUES (${SCHEMA_VERSION + 1}, 'later')`,
          sql`PRAGMA journal_mode = DELETE`,
          sql`PRAGMA auto_vacuum = NONE`,
          sql`VACUUM`
        ])
      )
      const before = yield* modes
      const failure = yield* Effect.flip(openAndClose(filename))
      expect(failure.message).toBe(
        `The database has schema version ${
          SCHEMA_VERSION + 1
        }, but this program supports versions up to ${SCHEMA_VERSION}. ` +
          "A newer version of the program wrote it: run that version, or restore an older backup."
      )
      expect(yield* modes).toEqual(before)
    }))

  it.scoped("the migration of a database of an earlier version is logged, because it may take long", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const lines = Logged.linesOf(openAndClose(filename))
      expect([yield* lines, yield* lines]).toEqual([[], []])
      const from_version = SCHEMA_VERSION - 1
      yield* withClient(filename)((sql) =>
        sql`DELETE FROM community_messaging_migrations WHERE migration_id > ${from_version}`
      )
      const versions = { from_version, to_version: SCHEMA_VERSION }
      expect(yield* lines).toEqual([
        [["The schema of the database is being migrated"], versions],
        [["The schema of the database is migrated"], versions]
      ])
    }))

  it.scoped("a migration that fails rolls back all migrations of the run", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const tables = withClient(filename)((sql) => sql`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      yield* withClient(filename)((sql) => sql`CREATE TABLE webhooks (mine TEXT)`)
      const failure = yield* Effect.flip(openAndClose(filename))
      expect([failure.message, String(failure.cause)]).toEqual([
        "Storage failed: migrate the database",
        "SqliteError: table webhooks already exists"
      ])
      expect(yield* tables).toEqual([{ name: "webhooks" }])
    }))

  it.scoped("texts that an earlier version imported are changed to match current rules", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const storage = StorageSqlite.layer({ filename })
      const users = [Samples.user({ deletionPublicReason: Option.some("🦊") }), Samples.user()]
      yield* Effect.flatMap(UserRepository, ({ save }) => Effect.forEach(users, save)).pipe(Effect.provide(storage))
      const key = Samples.adminKey()
      yield* Effect.flatMap(CredentialRepository, ({ insert }) => insert(key)).pipe(Effect.provide(storage))
      const { blank, padded } = yield* Effect.all({
        blank: Saved.webhook(),
        padded: Saved.webhook()
      }).pipe(Effect.provide(storage))
      yield* withClient(filename)((sql) =>
        Effect.all([
          sql`UPDATE users SET deletion_public_reason = ${"🦊".repeat(600)} WHERE deletion_public_reason IS NOT NULL`,
          sql`UPDATE credentials SET name = ' ops ' WHERE id = ${key.id}`,
          sql.unsafe(`UPDATE webhooks SET name = char(9, 32) WHERE id = ${blank.id}`),
          sql.unsafe(`UPDATE webhooks SET name = ' Buil' || char(10) || 'ds' WHERE id = ${padded.id}`),
          ...strictTexts.map((statement) => sql.unsafe(statement))
        ])
      )
      const read = yield* Effect.gen(function*() {
        const [webhooks, credentials] = yield* Effect.all([WebhookRepository, CredentialRepository])
        const found = yield* Effect.forEach([blank.id, padded.id], webhooks.find)
        const reasons = (yield* Effect.flatMap(UserRepository, ({ list }) => list({ after: Option.none(), limit: 9 })))
          .flatMap((user) => Option.toArray(user.deletionPublicReason))
        return {
          webhooks: found.map(Option.map(({ name }) => name)),
          credentials: (yield* credentials.list({ after: Option.none(), limit: 10 })).flatMap((credential) =>
            "name" in credential ? [credential.name] : []
          ),
          reasons
        }
      }).pipe(Effect.provide(storage))
      expect(read).toEqual({
        webhooks: [Option.some("Webhook"), Option.some("Builds")],
        credentials: ["ops"],
        reasons: ["🦊".repeat(512)]
      })
    }))

  it.scoped("unused avatars of an earlier version are removed, and those of webhooks and messages stay", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const storage = StorageSqlite.layer({ filename })
      const [worn, posted, unused] = [Samples.avatar(), Samples.avatar(), Samples.avatar()]
      yield* Effect.gen(function*() {
        yield* Effect.forEach([worn, posted, unused], (yield* AvatarStore).put)
        const { channelId, guildId, id, name } = yield* Saved.webhook({ avatar: Option.some(worn.hash) })
        const author = { _tag: "Webhook", webhookId: id, name, avatar: Option.some(posted.hash) } as const
        yield* (yield* MessageRepository).insert(Samples.message({ channelId, guildId, author }))
      }).pipe(Effect.provide(storage))
      // The state that the earlier version left.
      yield* withClient(filename)((sql) =>
        Effect.all([
          ...["messages_keep_avatars", "webhooks_replace_avatar", "webhooks_take_avatar_along", "users_replace_avatar"]
            .map((name) => sql.unsafe(`DROP TRIGGER ${name}`)),
          sql`DROP INDEX webhooks_by_avatar`,
          sql`DROP INDEX users_by_avatar`,
          sql`DROP TABLE message_avatars`,
          sql`
            DELETE FROM community_messaging_migrations WHERE migration_id >=
              (SELECT migration_id FROM community_messaging_migrations WHERE name = 'unused_avatars')
          `
        ])
      )
      const kept = yield* Effect.flatMap(AvatarStore, ({ list }) => list({ after: Option.none(), limit: 9 })).pipe(
        Effect.provide(storage)
      )
      expect(kept).toEqual([worn.hash, posted.hash].toSorted())
    }))

  it.scoped("a file that is not a database, or in a folder that does not exist, is a failure of storage", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      writeFileSync(filename, "no database at all, and long enough to be looked at".repeat(100))
      expect((yield* Effect.flip(openAndClose(filename)))._tag).toBe("StorageError")
      const inNoFolder = openAndClose(join(dirname(filename), "nowhere", "nowhere.db"))
      expect((yield* Effect.flip(inNoFolder)).message).toBe("Storage failed: open the database")
    }))

  it.scoped("a file that can be read but not written is a failure of storage", () =>
    Effect.gen(function*() {
      const filename = yield* opened
      const { open } = yield* Connector
      // Like SQLite with a file that it may not write.
      const readOnly = { open: (options: ConnectionOptions) => open({ ...options, readonly: true }) }
      const failure = yield* Effect.flip(Effect.provideService(openAndClose(filename), Connector, readOnly))
      expect(failure.message).toBe("Storage failed: write to the database")
      expect(String(failure.cause)).toContain("attempt to write a readonly database")
    }))

  it.scoped("the check that a file can be written leaves nothing in it, even if another process writes meanwhile", () =>
    Effect.gen(function*() {
      const filename = yield* opened
      const other = yield* DatabaseFile.open(filename, { timeout: 0 })
      // Between any two statements, another process takes the lock if it is free.
      const contended = yield* connectorThat((connection, text, parameters) => {
        if (!text.startsWith("DELETE")) return connection.run(text, parameters)
        const taken = Either.try(() => other.exec("BEGIN IMMEDIATE"))
        const outcome = connection.run(text, parameters)
        if (Either.isRight(taken)) other.exec("ROLLBACK")
        return outcome
      })
      yield* Effect.provideService(openAndClose(filename), Connector, contended)
      yield* openAndClose(filename)
      expect(other.prepare("SELECT max(migration_id), count(*) FROM community_messaging_migrations").raw().get())
        .toEqual([SCHEMA_VERSION, SCHEMA_VERSION])
    }))

  it.scoped("a file is opened even if it has the row of such a check, which an earlier version may have left", () =>
    Effect.gen(function*() {
      const filename = yield* opened
      yield* withClient(filename)((sql) =>
        sql`INSERT INTO community_messaging_migrations (migration_id, name) VALUES (0, '')`
      )
      yield* openAndClose(filename)
      const rows = yield* withClient(filename)((sql) =>
        sql`SELECT name FROM community_messaging_migrations WHERE migration_id = 0`
      )
      expect(rows).toEqual([])
    }))

  it.scoped("an old file that a full disk prevents from being rewritten is a failure that names both folders", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* withClient(filename)((sql) => sql`CREATE TABLE old (text TEXT)`)
      const full = yield* connectorThat((connection, text, parameters) =>
        text === "VACUUM"
          ? Exit.fail(new SqlFailure({ cause: { code: "SQLITE_FULL" } }))
          : connection.run(text, parameters)
      )
      const failure = yield* Effect.flip(Effect.provideService(openAndClose(filename), Connector, full))
      expect(failure.message).toBe(
        "Storage failed: rewrite the database: its folder and that of SQLITE_TMPDIR or TMPDIR need as much free space as " +
          "the database has"
      )
    }))

  it.scoped("a required setting that SQLite does not apply is a failure of storage", () =>
    Effect.gen(function*() {
      // Like SQLite that was built without the setting.
      const withoutForeignKeys = yield* connectorThat((connection, text, parameters) =>
        connection.run(text === "PRAGMA foreign_keys = ON" ? "PRAGMA foreign_keys = OFF" : text, parameters)
      )
      const opening = openAndClose(yield* temporaryFilename)
      const failure = yield* Effect.flip(Effect.provideService(opening, Connector, withoutForeignKeys))
      expect([failure.message, String(failure.cause)]).toEqual([
        "Storage failed: set foreign_keys",
        "Error: It stays at 0."
      ])
    }))

  it.effect("a database in memory is a file in a temporary folder, which is removed with it", () =>
    Effect.gen(function*() {
      const files = yield* Effect.flatMap(Database, ({ sql }) => sql`PRAGMA database_list`).pipe(
        Effect.flatMap(Schema.decodeUnknown(Schema.Array(Schema.Struct({ file: Schema.NonEmptyString })))),
        Effect.tap(([database]) => {
          expect(existsSync(database?.file ?? "")).toBe(true)
        }),
        Effect.provide(SqliteDatabase.layer({ filename: ":memory:" }))
      )
      const folders = files.map(({ file }) => dirname(file))
      expect(folders).toEqual([expect.stringContaining("community-messaging-")])
      expect(folders.filter(existsSync)).toEqual([])
    }))
})

describe("an open database", () => {
  it.effect("has a writer with its settings, and readers that wait five seconds for the lock of another process", () =>
    Effect.gen(function*() {
      const { sql, write } = yield* Database
      const names = ["journal_mode", "synchronous", "secure_delete", "foreign_keys", "temp_store"]
      const pragmas = yield* Effect.forEach(names, (name) => write(sql`${new Fragment(`PRAGMA ${name}`)}`))
      expect(pragmas.flat())
        .toEqual([{ journal_mode: "wal" }, { synchronous: 2 }, { secure_delete: 2 }, { foreign_keys: 1 }, {
          temp_store: 2
        }])
      expect(yield* sql`PRAGMA busy_timeout`).toEqual([{ timeout: 5000 }])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.effect("has only strict tables, except the migrator's", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const loose = yield* sql`
        SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'
      `
      expect(loose).toEqual([{ name: "community_messaging_migrations" }])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
