import type { ConsentRequest } from "@community-messaging/domain/oauth2/ConsentRequest"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { Effect, Option } from "effect"
import { unauthorized } from "../server/Authentication.ts"
import type { Handlers } from "../server/Handlers.ts"
import * as ApiError from "../wire/ApiError.ts"
import type { ConsentBody, OAuth2Group } from "./Api.ts"

/** The request in a body. */
export const toConsentRequest = (body: typeof ConsentBody.Type): ConsentRequest => ({
  clientId: body.client_id,
  scope: body.scope,
  responseType: Option.fromNullable(body.response_type),
  redirectUri: Option.fromNullable(body.redirect_uri),
  state: Option.fromNullable(body.state),
  permissions: Option.fromNullable(body.permissions),
  guildId: Option.fromNullable(body.guild_id)
})

/** Handles the OAuth2 operations. `authorisedPage` is the absolute URL of `AuthorisedPage`. */
export const make = (
  authorisedPage: Option.Option<string>
): Effect.Effect<Handlers<typeof OAuth2Group>, never, Consents> =>
  Effect.map(Consents, ({ grant }) => ({
    grantConsent: ({ caller, payload }) =>
      grant(caller.id, toConsentRequest(payload), authorisedPage).pipe(
        Effect.map(({ redirectTo }) => ({ redirect_to: redirectTo })),
        Effect.catchTags({
          InvalidClient: () => Effect.fail(new ApiError.InvalidClient()),
          InvalidScope: () => Effect.fail(new ApiError.InvalidScope()),
          UnsupportedResponseType: () => Effect.fail(new ApiError.UnsupportedResponseType()),
          InvalidRedirectUri: () => Effect.fail(new ApiError.InvalidRedirectUri()),
          NotABotApplication: () => Effect.fail(new ApiError.NotABotApplication()),
          UnknownGuild: () => Effect.fail(new ApiError.UnknownGuild()),
          UnknownUser: () => unauthorized("Bot"),
          AccountScheduledForDeletion: () => Effect.fail(new ApiError.AccountScheduledForDeletion()),
          MissingGuildPermissions: () => Effect.fail(new ApiError.MissingPermissions())
        })
      )
  }))
