import { storageContract } from "@community-messaging/domain-contract/StorageContract"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"

storageContract("storage in memory", StorageMemory.layer)
