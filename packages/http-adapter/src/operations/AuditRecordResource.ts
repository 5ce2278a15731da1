import type { SequencedAuditRecord } from "@community-messaging/domain/audit/AuditLog"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import { DateTime, Schema } from "effect"
import { field, Int64, nullable, Snowflake, Timestamp } from "../wire/WireType.ts"

const AuditedFields = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)
})

/** What an administrator did. Personal data is masked. */
export const AuditRecordResource = Schema.Struct({
  sequence: field(Int64, "The sequence number in the log."),
  at: field(Timestamp, "When it was done."),
  actor: field(
    Schema.Struct({
      type: field(
        Schema.Literal("admin_key", "command_line", "program"),
        "Over HTTP, at the command line of the server, or by a program that embeds the service."
      ),
      key_id: field(nullable(Snowflake), "The admin key; null for other actors."),
      name: field(nullable(Schema.String), "The name of the admin key; null for other actors.")
    }),
    "Who did it."
  ),
  action: field(Schema.String, "What was done, such as `user.change_email`."),
  target_id: field(Snowflake, "The account, credential or webhook that was changed."),
  before: field(AuditedFields, "The changed fields with their old values."),
  after: field(AuditedFields, "The changed fields with their new values.")
}).annotations({ identifier: "AuditRecord", description: "What an administrator did. Personal data is masked." })
export interface AuditRecordResource extends Schema.Schema.Type<typeof AuditRecordResource> {}

const actorOf = (actor: AuditActor): AuditRecordResource["actor"] => {
  switch (actor._tag) {
    case "AdminKey":
      return { type: "admin_key", key_id: actor.credentialId, name: actor.name }
    case "CommandLine":
      return { type: "command_line", key_id: null, name: null }
    case "Program":
      return { type: "program", key_id: null, name: null }
  }
}

/** Converts a record to its resource. */
export const fromEntity = ({ record, sequence }: SequencedAuditRecord): AuditRecordResource => ({
  sequence,
  at: DateTime.formatIso(record.at),
  actor: actorOf(record.actor),
  action: record.action,
  target_id: record.targetId,
  before: record.before,
  after: record.after
})
