import type { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { Option } from "effect"
import { requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

const validAuditRecord = requireValid(AuditRecord)

/** `AuditLog` in memory. */
export const make = (state: typeof MemoryState.Service): typeof AuditLog.Service => ({
  append: validAuditRecord("append an audit record", (record) =>
    state.write((tables) => {
      const sequence = Option.getOrElse(Table.lastKey(tables.auditRecords), () => 0) + 1
      tables.auditRecords = Table.set(tables.auditRecords, sequence, { sequence, record })
    })),
  read: (after, limit) => state.read(({ auditRecords }) => Table.after(auditRecords, Option.some(after), limit))
})
