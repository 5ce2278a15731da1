import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { copyFileSync, renameSync, symlinkSync } from "node:fs"
import { emptyStorageFilename, temporaryStorageWithClient } from "./TemporaryDatabase.ts"

/** Which checks succeed. */
const health = Effect.gen(function*() {
  const { isMigrated, read, write } = yield* StorageHealth
  return {
    read: Exit.isSuccess(yield* Effect.exit(read)),
    write: Exit.isSuccess(yield* Effect.exit(write)),
    isMigrated: yield* Effect.orElseSucceed(isMigrated, () => undefined)
  }
})

describe("StorageHealth on SQLite", () => {
  it.effect("notices that the database can be read but not written", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER full BEFORE INSERT ON community_messaging_migrations BEGIN SELECT RAISE(ABORT, 'full'); END`
      expect(yield* health).toEqual({ read: true, write: false, isMigrated: true })
      yield* sql`DROP TRIGGER full`
      expect(yield* health).toEqual({ read: true, write: true, isMigrated: true })
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect.each<readonly [what: string, change: string, noticed: Effect.Effect.Success<typeof health>]>([
    [
      "a newer version of the program has migrated the database",
      `INSERT INTO community_messaging_migrations (migration_id, name) VALUES (${SCHEMA_VERSION + 1}, 'newer')`,
      { read: true, write: true, isMigrated: false }
    ],
    [
      "the database does not work",
      "DROP TABLE community_messaging_migrations",
      { read: false, write: false, isMigrated: undefined }
    ]
  ])("notices that %s", ([, change, noticed]) =>
    Effect.gen(function*() {
      yield* (yield* SqlClient.SqlClient).unsafe(change)
      expect(yield* health).toEqual(noticed)
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.scoped.each([["file", ""], ["write-ahead log", "-wal"], ["index of the log", "-shm"]])(
    "notices that the %s of the database was removed or replaced, also through a link",
    ([, suffix]) =>
      Effect.gen(function*() {
        const filename = yield* emptyStorageFilename
        const link = `${filename}.link`
        symlinkSync(filename, link)
        yield* Effect.gen(function*() {
          const file = `${filename}${suffix}`
          const healthy = { read: true, write: true, isMigrated: true }
          expect(yield* health).toEqual(healthy)
          renameSync(file, `${file}.moved`)
          expect(yield* health).toMatchObject({ write: false })
          copyFileSync(`${file}.moved`, file)
          expect(yield* health).toMatchObject({ write: false })
          renameSync(`${file}.moved`, file)
          expect(yield* health).toEqual(healthy)
        }).pipe(Effect.provide(StorageSqlite.layer({ filename: link })))
      })
  )

  it.effect("writes to the disk and leaves no data", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const versionOf = sql<{ data_version: number }>`PRAGMA data_version`
      const rows = sql`SELECT migration_id FROM community_messaging_migrations ORDER BY migration_id`
      const before = [yield* versionOf, yield* rows]
      yield* (yield* StorageHealth).write
      const after = [yield* versionOf, yield* rows]
      // Another connection sees a commit, and no other rows.
      expect(after[0]).not.toEqual(before[0])
      expect(after[1]).toEqual(before[1])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
