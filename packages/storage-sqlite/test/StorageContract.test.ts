import { storageContract } from "@community-messaging/domain-contract/StorageContract"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, Layer } from "effect"
import { emptyStorageFilename, temporaryStorage } from "./TemporaryDatabase.ts"

/** One file with a separate connection for each server, as for two processes. */
const twoConnections = Effect.gen(function*() {
  const filename = yield* emptyStorageFilename
  const connection = Layer.build(StorageSqlite.layer({ filename }))
  return [yield* connection, yield* connection] as const
})

storageContract("SQLite", temporaryStorage, twoConnections)
