import { storageContract } from "@community-messaging/domain-contract/StorageContract"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { Effect, Layer, Redacted } from "effect"
import { migrated, temporaryStorage } from "./TemporaryDatabase.ts"

/** One database, to which each server has separate connections. */
const twoConnections = Effect.gen(function*() {
  const url = Redacted.make(yield* migrated)
  const connection = Layer.build(StoragePostgres.layer({ url }))
  return [yield* connection, yield* connection] as const
})

storageContract("PostgreSQL", temporaryStorage, twoConnections)
