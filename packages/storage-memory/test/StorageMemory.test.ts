import { storageContract } from "@community-messaging/domain-contract/StorageContract"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Effect, Layer } from "effect"

// Two processes cannot share this storage, so both servers of the tests use the same connection.
const theSameTwice = Effect.map(Layer.build(StorageMemory.layer), (storage) => [storage, storage] as const)

storageContract("storage in memory", StorageMemory.layer, theSameTwice)
