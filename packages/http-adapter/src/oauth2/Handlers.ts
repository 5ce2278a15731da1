import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { Effect, type Option } from "effect"
import { unauthorized } from "../server/Authentication.ts"
import type { Handlers } from "../server/Handlers.ts"
import * as ApiError from "../wire/ApiError.ts"
import type { OAuth2Group } from "./Api.ts"

/** Handles the OAuth2 operations. `authorisedPage` is the absolute URL of `AuthorisedPage`. */
export const make = (
  authorisedPage: Option.Option<string>
): Effect.Effect<Handlers<typeof OAuth2Group>, never, Consents> =>
  Effect.map(Consents, ({ grant }) => ({
    grantConsent: ({ caller, payload }) =>
      grant(caller.id, payload, authorisedPage).pipe(
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
