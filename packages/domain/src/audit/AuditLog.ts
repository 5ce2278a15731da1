import { Context, type Effect } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { AuditRecord } from "./AuditRecord.ts"

/** A record with its sequence number. Committed records are numbered from 1 without gaps. */
export interface SequencedAuditRecord {
  readonly sequence: number
  readonly record: AuditRecord
}

/** Port: stores the actions of administrators. Records are never removed. */
export class AuditLog extends Context.Tag("@community-messaging/domain/AuditLog")<AuditLog, {
  /** Appends the record in the current transaction. */
  readonly append: (record: AuditRecord) => Effect.Effect<void, StorageError>
  /** Returns up to `limit` records after this sequence number, oldest first. */
  readonly read: (after: number, limit: number) => Effect.Effect<ReadonlyArray<SequencedAuditRecord>, StorageError>
}>() {}
