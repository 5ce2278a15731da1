import type * as CodeHostNotification from "@community-messaging/domain/webhook/code-host/Notification"
import type { ChangeEmailBody, ScheduleDeletionBody } from "@community-messaging/http-adapter/accounts/Api"
import type { ConsentBody } from "@community-messaging/http-adapter/oauth2/Api"
import type { UpdateWebhookBody } from "@community-messaging/http-adapter/webhooks/Api"

/*
 * Bodies from the wire, after Fastify has validated them.
 */

export type { Notification as ErrorTracker } from "@community-messaging/domain/webhook/error-tracker/Notification"
export type { MemberSearchBody as MemberSearch } from "@community-messaging/http-adapter/guild-members/Api"
export type Consent = typeof ConsentBody.Encoded
export type ScheduleDeletion = typeof ScheduleDeletionBody.Encoded
export type ChangeEmail = typeof ChangeEmailBody.Encoded
export type UpdateWebhook = typeof UpdateWebhookBody.Encoded
export interface CodeHost extends Omit<CodeHostNotification.Notification, "commits"> {
  readonly commits?: ReadonlyArray<CodeHostNotification.Commit> | null
}
