import { storageLaws } from "@community-messaging/storage-laws/StorageLaws"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"

storageLaws("storage in memory", StorageMemory.layer)
