import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Layer } from "effect"
import * as AuditLogFile from "./AuditLogFile.ts"

/** A whole storage: the audit log in the file, everything else in memory. */
export const layer = (file: string) => Layer.provideMerge(AuditLogFile.layer(file), StorageMemory.layer)
