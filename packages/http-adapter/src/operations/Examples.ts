import { EmailAddress, maskEmail } from "@community-messaging/domain/account/EmailAddress"
import { UserId } from "@community-messaging/domain/account/User"
import { UserUpdated } from "@community-messaging/domain/account/UserEvents"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { DateTime, type Schema } from "effect"
import type { Example } from "../wire/Example.ts"
import type { AuditPage } from "./Api.ts"
import * as AuditRecordResource from "./AuditRecordResource.ts"
import * as EventResource from "./EventResource.ts"
import * as ServerSentEvent from "./ServerSentEvent.ts"

const at = DateTime.unsafeMake("2026-11-22T06:38:01.522Z")
const userId = UserId.make("406135920647996647")

const event = EventResource.fromEntity({
  sequence: 333,
  occurredAt: at,
  event: UserUpdated.of({ userId, changed: ["email", "email_verified", "email_bounced"] })
})

const record = AuditRecordResource.fromEntity({
  sequence: 17,
  record: AuditRecord.make({
    actor: { _tag: "AdminKey", credentialId: CredentialId.make("1573950414552825857"), name: "ops" },
    action: "user.change_email",
    targetId: userId,
    at,
    before: { email: maskEmail(EmailAddress.make("jokull@example.org")), email_verified: true },
    after: { email: maskEmail(EmailAddress.make("jokull@example.com")), email_verified: false }
  })
})

const page: Schema.Schema.Type<typeof AuditPage> = { records: [record], next_after: 17 }

/** The examples of the operations for operators. */
export const logs = {
  streamEvents: {
    parameters: { after: 332 },
    response: `${ServerSentEvent.beginning(332)}${ServerSentEvent.block(event)}`,
    violations: [{ path: "after", message: "must be 0 to 9007199254740991", code: "NUMBER_OUT_OF_RANGE" }]
  },
  readAuditLog: {
    parameters: { after: 16, limit: 1 },
    response: page,
    violations: [{ path: "limit", message: "must be 1 to 100", code: "NUMBER_OUT_OF_RANGE" }]
  }
} satisfies Record<string, Example>
