import type { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { Effect, Schema } from "effect"
import { column, Instant, json } from "./Column.ts"
import type { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const AuditRow = Schema.Struct({
  actor: json(AuditRecord.fields.actor),
  action: AuditRecord.fields.action,
  targetId: column("target_id", AuditRecord.fields.targetId),
  at: Instant,
  before: json(AuditRecord.fields.before),
  after: json(AuditRecord.fields.after)
})

const SequencedAuditRow = Schema.Struct({ sequence: Schema.Int, ...AuditRow.fields })

/** `AuditLog` in SQL. */
export const make = ({ send, sql, write }: typeof Database.Service): typeof AuditLog.Service => {
  const records = Table.make({ send, sql }, {
    name: "audit_records",
    row: AuditRow,
    key: [],
    snowflakes: ["target_id"]
  })
  const decode = Rows.decodeAll("audit_records", SequencedAuditRow)
  return {
    append: (entry) => write(attempt("append an audit record")(records.insert(entry))),
    read: (after, limit) =>
      sql`
        SELECT sequence, ${records.columns} FROM audit_records WHERE sequence > ${after}
        ORDER BY sequence LIMIT ${limit}
      `.pipe(
        Effect.flatMap(decode),
        Effect.map((rows) => rows.map(({ sequence, ...entry }) => ({ sequence, record: entry }))),
        attempt("read audit records")
      )
  }
}
