import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Effect, Layer } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The name of a new database file, in a folder that is removed when the scope closes. */
export const temporaryFilename = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "storage-sqlite-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "storage.db")
)

/** The bytes of the file of an empty storage. The migrations take longer than most tests, so they run once for many. */
const emptyStorage = Effect.runSync(Effect.cached(Effect.scoped(Effect.gen(function*() {
  const filename = yield* temporaryFilename
  yield* Effect.scoped(Layer.build(StorageSqlite.layer({ filename })))
  return readFileSync(filename)
}))))

/** The name of a file with an empty storage, in a folder that is removed when the scope closes. */
export const emptyStorageFilename = Effect.tap(
  temporaryFilename,
  (filename) => Effect.map(emptyStorage, (content) => writeFileSync(filename, content))
)

/** A storage in a new file. */
export const temporaryStorage = Layer.unwrapScoped(
  Effect.map(emptyStorageFilename, (filename) => StorageSqlite.layer({ filename }))
)

/** Runs the test on a storage in a new file, whose name it gets. */
export const withStorage = <A, E, R>(test: (filename: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(emptyStorageFilename, (filename) => Effect.provide(test(filename), StorageSqlite.layer({ filename })))

/** Runs the effect with a plain client on the file. */
export const withClient = (filename: string) => <A, E>(use: (sql: SqliteClient.SqliteClient) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(SqliteClient.SqliteClient, use), SqliteClient.layer({ filename }))

/** A storage in a new file, together with another client of that file. */
export const temporaryStorageWithClient = Layer.unwrapScoped(
  Effect.map(
    emptyStorageFilename,
    (filename) => Layer.merge(StorageSqlite.layer({ filename }), SqliteClient.layer({ filename }))
  )
)

/** A storage in a new file, together with the database under its ports. */
export const temporaryStorageWithDatabase = Layer.unwrapScoped(
  Effect.map(
    emptyStorageFilename,
    (filename) => Layer.provideMerge(StorageSqlite.ports, SqliteDatabase.layer({ filename }))
  )
)
