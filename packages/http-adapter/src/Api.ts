import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { AccountsGroup } from "./accounts/Api.ts"
import { GuildMembersGroup } from "./guild-members/Api.ts"
import { OAuth2Group } from "./oauth2/Api.ts"
import { OperationsGroup } from "./operations/Api.ts"
import { EventResource } from "./operations/EventResource.ts"
import { ScheduledMessagesGroup } from "./scheduled-messages/Api.ts"
import { WebhooksGroup } from "./webhooks/Api.ts"
import { InternalServerError } from "./wire/ApiError.ts"

// In place of the platform's own error for invalid requests. The adapter rejects such requests earlier and with its own
// errors, so the platform's error never occurs.
const api = Object.assign(HttpApi.make("community-messaging"), { errorSchema: InternalServerError })

/**
 * The API: the eight operations of the API reference under `/v1`, and `OperationsGroup`, an extension. A client needs
 * nothing else to call it.
 */
export const Api = api
  .add(OAuth2Group)
  .add(ScheduledMessagesGroup)
  .add(GuildMembersGroup)
  .add(AccountsGroup)
  .add(WebhooksGroup)
  .add(OperationsGroup)
  .prefix("/v1")
  .annotate(OpenApi.Title, "Community Messaging")
  .annotate(OpenApi.Version, "1")
  // The response of the event stream is text, so its schema does not refer to the events.
  .annotate(HttpApi.AdditionalSchemas, [EventResource])
