import type { Layer } from "effect"
import { administrationLaws } from "./AdministrationLaws.ts"
import { consentLaws } from "./ConsentLaws.ts"
import { credentialLaws } from "./CredentialLaws.ts"
import { memberSearchLaws } from "./MemberSearchLaws.ts"
import { requestLaws } from "./RequestLaws.ts"
import { scheduledMessageListLaws } from "./ScheduledMessageListLaws.ts"
import type { Tested } from "./ServedApi.ts"
import { webhookNotificationLaws } from "./WebhookNotificationLaws.ts"
import { webhookUpdateLaws } from "./WebhookUpdateLaws.ts"

/** Everything that a served API keeps, whatever serves it and whatever it is stored in. Rate limits are off. */
export const httpLaws = <E>(served: Layer.Layer<Tested, E>): void => {
  requestLaws(served)
  credentialLaws(served)
  consentLaws(served)
  scheduledMessageListLaws(served)
  memberSearchLaws(served)
  administrationLaws(served)
  webhookNotificationLaws(served)
  webhookUpdateLaws(served)
}
