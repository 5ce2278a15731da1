import { GuildId } from "@community-messaging/domain/guild/Guild"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { MAX_STATE_LENGTH } from "@community-messaging/domain/oauth2/ConsentRequest"
import { maxCodePoints } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { PermissionsFromString } from "@community-messaging/domain/shared-kernel/Permissions"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import {
  InvalidClient,
  InvalidRedirectUri,
  InvalidScope,
  MissingPermissions,
  NotABotApplication,
  UnknownGuild,
  UnsupportedResponseType
} from "../wire/ApiError.ts"
import { BotCredentials } from "../wire/Credentials.ts"
import { InvalidBody, KIBIBYTE } from "../wire/RequestBody.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import { field, named, optionField, snowflake } from "../wire/WireType.ts"

/**
 * The maximum size of a consent request in bytes: a `state` of 1024 characters takes up to 12 KiB if all of them are
 * escaped.
 */
const CONSENT_BODY_LIMIT = 16 * KIBIBYTE

/** A request for the current user's consent. Source: API reference, Grant OAuth2 consent; API gaps, OAuth2 consent. */
export const ConsentBody = Schema.Struct({
  clientId: named(snowflake(ApplicationId), "The application that asks for consent.", "client_id"),
  scope: named(Schema.String, "Scopes, separated by spaces: identify, email, guilds, connections, bot.", "scope"),
  responseType: optionField(Schema.String, "`code`, the default.", "response_type"),
  redirectUri: optionField(
    Schema.String,
    "Exactly as registered. Optional if only one is registered, or if `bot` is the only scope.",
    "redirect_uri"
  ),
  state: optionField(
    Schema.String.pipe(maxCodePoints(MAX_STATE_LENGTH)),
    "Returned unchanged, to prevent cross-site request forgery."
  ),
  permissions: optionField(
    PermissionsFromString.annotations({ jsonSchema: { type: "string", pattern: "^[0-9]{1,78}$" } }),
    "The permissions of the bot, a bit set as a decimal number of at most 78 digits; unknown bits are ignored."
  ),
  guildId: optionField(snowflake(GuildId), "The guild that the bot joins, if the scopes include `bot`.", "guild_id")
}).annotations({ identifier: "ConsentRequest", description: "What the current user consents to." })

/** Where to send the user after consent. */
export const ConsentResult = Schema.Struct({
  redirect_to: field(Schema.String, "The URL to which the user is redirected after consent.")
}).annotations({ identifier: "ConsentResult", description: "The consent was granted." })

/** OAuth2 (RFC 6749). */
export const OAuth2Group = HttpApiGroup.make("oauth2")
  .add(
    HttpApiEndpoint.post("grantConsent", "/oauth2/authorize/consent")
      .setPayload(ConsentBody)
      .addSuccess(ConsentResult)
      .addError(InvalidClient)
      .addError(InvalidScope)
      .addError(UnsupportedResponseType)
      .addError(InvalidRedirectUri)
      .addError(NotABotApplication)
      .addError(MissingPermissions)
      .addError(UnknownGuild)
      .annotate(RequestRules, { bucket: "consent", bodyLimit: CONSENT_BODY_LIMIT })
      .annotate(OpenApi.Identifier, "grantOAuth2Consent")
      .annotate(OpenApi.Summary, "Grant OAuth2 consent")
      .annotate(
        OpenApi.Description,
        "Stores the current user's consent, adds the bot to the guild if requested, and returns the URL to which the user is redirected."
      )
  )
  .addError(InvalidBody)
  .middleware(BotCredentials)
  .annotate(OpenApi.Title, "OAuth2")
  .annotate(OpenApi.Description, "Consent of users to the actions of applications (RFC 6749).")
