import type { Layer } from "effect"
import { auditLogLaws } from "./AuditLogLaws.ts"
import { bodyLaws } from "./BodyLaws.ts"
import { changeEmailLaws } from "./ChangeEmailLaws.ts"
import { consentLaws } from "./ConsentLaws.ts"
import { credentialLaws } from "./CredentialLaws.ts"
import { eventStreamLaws } from "./EventStreamLaws.ts"
import { largeBodyLaws } from "./LargeBodyLaws.ts"
import { memberSearchLaws } from "./MemberSearchLaws.ts"
import { memberSearchRequestLaws } from "./MemberSearchRequestLaws.ts"
import { routeLaws } from "./RouteLaws.ts"
import { scheduleDeletionLaws } from "./ScheduleDeletionLaws.ts"
import { scheduledMessageListLaws } from "./ScheduledMessageListLaws.ts"
import type { Tested } from "./ServedApi.ts"
import { webhookNotificationLaws } from "./WebhookNotificationLaws.ts"
import { webhookUpdateLaws } from "./WebhookUpdateLaws.ts"

/** Everything that a served API keeps, whatever serves it and whatever it is stored in. Rate limits are off. */
export const httpLaws = <E>(served: Layer.Layer<Tested, E>): void => {
  routeLaws(served)
  bodyLaws(served)
  largeBodyLaws(served)
  credentialLaws(served)
  consentLaws(served)
  scheduledMessageListLaws(served)
  memberSearchLaws(served)
  memberSearchRequestLaws(served)
  scheduleDeletionLaws(served)
  changeEmailLaws(served)
  webhookNotificationLaws(served)
  webhookUpdateLaws(served)
  eventStreamLaws(served)
  auditLogLaws(served)
}
