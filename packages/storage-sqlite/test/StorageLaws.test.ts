import { storageLaws } from "@community-messaging/storage-laws/StorageLaws"
import { temporaryStorage } from "./TemporaryDatabase.ts"

storageLaws("SQLite", temporaryStorage)
