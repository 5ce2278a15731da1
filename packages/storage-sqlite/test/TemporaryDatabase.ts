import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Layer } from "effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm"

const filenameIn = (parent: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(parent, "storage-sqlite-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => join(folder, "storage.db")
  )

/**
 * The name of a database file that is not there yet, in a folder that is removed when the scope closes. It is kept in memory
 * where the system can: hundreds of tests would wait for the disk at each commit, and none of them is about it.
 */
export const temporaryFilename = filenameIn(existsSync(MEMORY) ? MEMORY : tmpdir())

/** The same on the disk, for a database that is large. */
export const temporaryFilenameOnDisk = filenameIn(tmpdir())

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
