import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The name of a database file that is not there yet, in a folder that is removed when the scope closes. */
export const temporaryFilename = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "storage-sqlite-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "storage.db")
)

/** A storage in a file of its own. */
export const temporaryStorage = Layer.unwrapScoped(
  Effect.map(temporaryFilename, (filename) => StorageSqlite.layer({ filename }))
)

/** A storage in a file of its own, together with another client of that file. */
export const temporaryStorageWithClient = Layer.unwrapScoped(
  Effect.map(
    temporaryFilename,
    (filename) => Layer.merge(StorageSqlite.layer({ filename }), SqliteClient.layer({ filename }))
  )
)

/** A storage in a file of its own, together with the database under its ports. */
export const temporaryStorageWithDatabase = Layer.unwrapScoped(
  Effect.map(
    temporaryFilename,
    (filename) => Layer.provideMerge(StorageSqlite.ports, SqliteDatabase.layer({ filename }))
  )
)
