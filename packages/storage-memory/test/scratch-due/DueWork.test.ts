import { dueWorkLaws } from "@community-messaging/storage-laws/due-work/DueWorkLaws"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"

dueWorkLaws(StorageMemory.layer)
