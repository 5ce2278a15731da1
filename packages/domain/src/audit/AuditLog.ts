import { Context, type Effect } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { AuditRecord } from "./AuditRecord.ts"

/** A record with its place in the log, counted from 1 without gaps among committed records. */
export interface SequencedAuditRecord {
  readonly sequence: number
  readonly record: AuditRecord
}

/** Port: what administrators did, for good. */
export class AuditLog extends Context.Tag("@community-messaging/domain/AuditLog")<AuditLog, {
  /** Adds the record in the current transaction. */
  readonly append: (record: AuditRecord) => Effect.Effect<void, StorageError>
  /** Up to `limit` records after that place, oldest first. */
  readonly read: (after: number, limit: number) => Effect.Effect<ReadonlyArray<SequencedAuditRecord>, StorageError>
}>() {}
