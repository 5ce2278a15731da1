import { storageContract } from "@community-messaging/domain-contract/StorageContract"
import { temporaryStorage } from "./TemporaryDatabase.ts"

storageContract("SQLite", temporaryStorage)
