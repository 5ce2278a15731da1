import { HttpApi, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AccountsGroup } from "./accounts/Api.ts"
import { GuildMembersGroup } from "./guild-members/Api.ts"
import { OAuth2Group } from "./oauth2/Api.ts"
import { OperationsGroup } from "./operations/Api.ts"
import { ScheduledMessagesGroup } from "./scheduled-messages/Api.ts"
import { WebhooksGroup } from "./webhooks/Api.ts"

// The platform gives every API an error of its own for requests that do not fit. Ours are refused before, with our own
// errors, so that one never occurs: it is taken out before anything is built on it.
const api = Object.assign(HttpApi.make("community-messaging"), { errorSchema: Schema.Never })

/**
 * The API: the eight operations of the reference under `/v1`, and `OperationsGroup`, which is an extension. A client needs
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
