import { inOwnWorld } from "@community-messaging/domain-contract/world/World"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"

/** Runs a test from `START` on, with the use cases and the ports of an empty storage in memory of its own. */
export const inWorld = inOwnWorld(StorageMemory.layer)
