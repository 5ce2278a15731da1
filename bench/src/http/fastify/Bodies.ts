import type { ChangeEmailBody, ScheduleDeletionBody } from "@community-messaging/http-adapter/accounts/Api"
import type { ConsentBody } from "@community-messaging/http-adapter/oauth2/Api"
import type { UpdateWebhookBody } from "@community-messaging/http-adapter/webhooks/Api"
import type { CodeHostBody } from "@community-messaging/http-adapter/webhooks/CodeHostBody"
import type { ErrorTrackerBody } from "@community-messaging/http-adapter/webhooks/ErrorTrackerBody"

/*
 * Bodies from the wire, after Fastify has validated them.
 */

export type { MemberSearchBody as MemberSearch } from "@community-messaging/http-adapter/guild-members/Api"
export type Consent = typeof ConsentBody.Encoded
export type ScheduleDeletion = typeof ScheduleDeletionBody.Encoded
export type ChangeEmail = typeof ChangeEmailBody.Encoded
export type UpdateWebhook = typeof UpdateWebhookBody.Encoded
export type CodeHost = typeof CodeHostBody.Encoded
export type ErrorTracker = typeof ErrorTrackerBody.Encoded
