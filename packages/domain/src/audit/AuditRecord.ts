import { Schema } from "effect"
import { CredentialId } from "../shared-kernel/CredentialId.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"

/** The actor: an admin key over HTTP, the operator at the server's command line, or the program that embeds the service. */
export const AuditActor = Schema.Union(
  Schema.TaggedStruct("AdminKey", { credentialId: CredentialId, name: Schema.String }),
  Schema.TaggedStruct("CommandLine", {}),
  Schema.TaggedStruct("Program", {})
)
export type AuditActor = typeof AuditActor.Type

/** The operator at the server's command line. */
export const COMMAND_LINE: AuditActor = { _tag: "CommandLine" }

/** The program that embeds the service. */
export const PROGRAM: AuditActor = { _tag: "Program" }

/** The audited actions. */
export const AuditAction = Schema.Literal(
  "user.schedule_deletion",
  "user.cancel_deletion",
  "user.change_email",
  "credential.issue",
  "credential.revoke",
  "webhook.create",
  "webhook.rotate_token",
  "webhook.delete"
)
export type AuditAction = typeof AuditAction.Type

/** The changed fields by their names in the API. Personal data is masked. */
export const AuditedFields = Schema.Record({
  key: Schema.String,
  value: Schema.NullOr(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
})
export type AuditedFields = typeof AuditedFields.Type

/** An action: its actor, its account, credential or webhook, its time, and the values before and after. */
export const AuditRecord = Schema.Struct({
  actor: AuditActor,
  action: AuditAction,
  targetId: Snowflake,
  at: Schema.DateTimeUtc,
  before: AuditedFields,
  after: AuditedFields
}).annotations({ identifier: "AuditRecord" })
export interface AuditRecord extends Schema.Schema.Type<typeof AuditRecord> {}
