import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { Effect, Layer, Option } from "effect"
import { requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** `AuditLog` in memory. */
export const layer: Layer.Layer<AuditLog, never, MemoryState> = Layer.effect(
  AuditLog,
  Effect.map(MemoryState, (state) => ({
    append: requireValid("append an audit record", AuditRecord, (record) =>
      state.write((tables) => {
        const sequence = Option.getOrElse(Table.lastKey(tables.auditRecords), () => 0) + 1
        tables.auditRecords = Table.set(tables.auditRecords, sequence, { sequence, record })
      })),
    read: (after, limit) => state.read(({ auditRecords }) => Table.after(auditRecords, Option.some(after), limit))
  }))
)
