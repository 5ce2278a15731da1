import { testsInWorld } from "@community-messaging/domain-contract/TestsOver"
import { inOwnWorld } from "@community-messaging/domain-contract/world/World"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"

/** Declares tests that run from `START` on, with the use cases and the ports of an empty storage in memory of its own. */
export const it = testsInWorld(StorageMemory.layer)

/** Runs a test as `it` does, for tests that need another clock. */
export const inWorld = inOwnWorld(StorageMemory.layer)
