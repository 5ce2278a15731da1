import type { SequencedAuditRecord } from "@community-messaging/domain/audit/AuditLog"
import { DateTime, Schema } from "effect"
import { Int64, nullable, Snowflake, Timestamp } from "../wire/WireType.ts"

const AuditedFields = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)
})

/** What an administrator did. Personal data is masked. */
export const AuditRecordResource = Schema.Struct({
  sequence: Int64.annotations({ description: "The sequence number in the log." }),
  at: Timestamp,
  actor: Schema.Struct({
    type: Schema.Literal("admin_key", "command_line"),
    key_id: nullable(Snowflake),
    name: nullable(Schema.String)
  }),
  action: Schema.String.annotations({ description: "Such as `user.change_email`." }),
  target_id: Snowflake,
  before: AuditedFields.annotations({ description: "The changed fields with their old values." }),
  after: AuditedFields.annotations({ description: "The changed fields with their new values." })
}).annotations({ identifier: "AuditRecord", description: "What an administrator did. Personal data is masked." })
export interface AuditRecordResource extends Schema.Schema.Type<typeof AuditRecordResource> {}

/** Converts a record to its resource. */
export const fromEntity = ({ record, sequence }: SequencedAuditRecord): AuditRecordResource => ({
  sequence,
  at: DateTime.formatIso(record.at),
  actor: record.actor._tag === "AdminKey"
    ? { type: "admin_key", key_id: record.actor.credentialId, name: record.actor.name }
    : { type: "command_line", key_id: null, name: null },
  action: record.action,
  target_id: record.targetId,
  before: record.before,
  after: record.after
})
