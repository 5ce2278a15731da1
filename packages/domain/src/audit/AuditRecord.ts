import { Schema } from "effect"
import { CredentialId } from "../shared-kernel/CredentialId.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"

/** Who did it: an admin key over HTTP, or somebody at the server's command line. */
export const AuditActor = Schema.Union(
  Schema.TaggedStruct("AdminKey", { credentialId: CredentialId, name: Schema.String }),
  Schema.TaggedStruct("CommandLine", {})
)
export type AuditActor = typeof AuditActor.Type

/** What was done. */
export const AuditAction = Schema.Literal(
  "user.schedule_deletion",
  "user.cancel_deletion",
  "user.change_email",
  "credential.issue",
  "credential.revoke",
  "webhook.create"
)
export type AuditAction = typeof AuditAction.Type

/** The fields that changed, by their names in the reference; personal data is masked. */
export const AuditedFields = Schema.Record({
  key: Schema.String,
  value: Schema.NullOr(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
})
export type AuditedFields = typeof AuditedFields.Type

/** Who did what to whom, when, and what it was before and after. */
export const AuditRecord = Schema.Struct({
  actor: AuditActor,
  action: AuditAction,
  targetId: Snowflake,
  at: Schema.DateTimeUtc,
  before: AuditedFields,
  after: AuditedFields
}).annotations({ identifier: "AuditRecord" })
export interface AuditRecord extends Schema.Schema.Type<typeof AuditRecord> {}
