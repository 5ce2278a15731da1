import { GuildId } from "@community-messaging/domain/guild/Guild"
import { redirectTo } from "@community-messaging/domain/oauth2/ConsentRequest"
import { KNOWN, Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { Option, type Schema } from "effect"
import type { Example } from "../wire/Example.ts"
import type { ConsentBody } from "./Api.ts"

const guildId = GuildId.make("573071110963200001")
const redirectUri = "https://app.example.com/callback"
const permissions = Permissions.make(KNOWN.VIEW_CHANNEL | KNOWN.SEND_MESSAGES)
const state = "xyz"

const consent: Schema.Schema.Encoded<typeof ConsentBody> = {
  client_id: "573071110963200021",
  scope: "identify bot",
  response_type: "code",
  redirect_uri: redirectUri,
  state,
  permissions: permissions.toString(),
  guild_id: guildId
}

/** The example of a consent. */
export const oauth2 = {
  grantOAuth2Consent: {
    request: consent,
    response: {
      redirect_to: redirectTo(
        { scopes: ["identify", "bot"], redirectUri, bot: Option.some({ guildId, permissions }) },
        "cmc_cxHOKlVbrKFwYw",
        Option.some(state)
      )
    },
    violations: [
      {
        path: "client_id",
        message: "must be a snowflake: a string of decimal digits without leading zeros",
        code: "INVALID_SNOWFLAKE_FORMAT"
      },
      { path: "scope", message: "is required", code: "REQUIRED" }
    ]
  }
} satisfies Record<string, Example>
