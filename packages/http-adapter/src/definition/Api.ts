import { HttpApi, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AdministrationGroup } from "./AdministrationGroup.ts"
import { GuildMembersGroup } from "./GuildMembersGroup.ts"
import { LogsGroup } from "./LogsGroup.ts"
import { OAuth2Group } from "./OAuth2Group.ts"
import { ScheduledMessagesGroup } from "./ScheduledMessagesGroup.ts"
import { WebhooksGroup } from "./WebhooksGroup.ts"

// The platform gives every API an error of its own for requests that do not fit. Ours are refused before, with our own
// errors, so that one never occurs: it is taken out before anything is built on it.
const api = Object.assign(HttpApi.make("community-messaging"), { errorSchema: Schema.Never })

/**
 * The API: the eight operations of the reference under `/v1`, and `LogsGroup`, which is an extension. A client needs
 * nothing else to call it.
 */
export const Api = api
  .add(OAuth2Group)
  .add(ScheduledMessagesGroup)
  .add(GuildMembersGroup)
  .add(AdministrationGroup)
  .add(WebhooksGroup)
  .add(LogsGroup)
  .prefix("/v1")
  .annotate(OpenApi.Title, "Community Messaging")
  .annotate(OpenApi.Version, "1")
