import type { User } from "@community-messaging/domain/account/User"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { Effect, Option, type Schema } from "effect"
import { available, Deadline } from "../Deadline.ts"
import * as ApiError from "../definition/ApiError.ts"
import { Caller } from "../definition/Credentials.ts"
import type { ConsentBody } from "../definition/OAuth2Group.ts"
import { publicUrl } from "../PublicUrl.ts"
import * as AuthorisedPage from "./AuthorisedPage.ts"
import * as Refusal from "./Refusal.ts"
import type { Unhandled } from "./Unhandled.ts"

/** Endpoint 1. `authorisedPage` is the absolute URL of the service's own page after consent. */
export const make = (authorisedPage: Option.Option<string>) =>
  Effect.gen(function*() {
    const { grant } = yield* Consents
    const deadline = yield* Deadline
    return {
      grantConsent: (caller: User, body: Schema.Schema.Type<typeof ConsentBody>) =>
        available(
          grant(caller.id, {
            clientId: body.client_id,
            scope: body.scope,
            responseType: Option.fromNullable(body.response_type),
            redirectUri: Option.fromNullable(body.redirect_uri),
            state: Option.fromNullable(body.state),
            permissions: Option.fromNullable(body.permissions),
            guildId: Option.fromNullable(body.guild_id)
          }, authorisedPage),
          deadline
        ).pipe(
          Effect.map(({ redirectTo }) => ({ redirect_to: redirectTo })),
          Effect.catchTags({
            InvalidClient: () => Effect.fail(new ApiError.InvalidClient()),
            InvalidScope: () => Effect.fail(new ApiError.InvalidScope()),
            UnsupportedResponseType: () => Effect.fail(new ApiError.UnsupportedResponseType()),
            InvalidRedirectUri: () => Effect.fail(new ApiError.InvalidRedirectUri()),
            NotABotApplication: () => Effect.fail(new ApiError.NotABotApplication()),
            UnknownGuild: Refusal.unknownGuild,
            MissingGuildPermissions: Refusal.missingPermissions
          })
        )
    }
  })

/** Answers the OAuth2 operations. */
export const build = (handlers: Unhandled<"oauth2">) =>
  Effect.map(
    Effect.flatMap(publicUrl, (url) => make(Option.some(`${url}${AuthorisedPage.PATH}`))),
    ({ grantConsent }) =>
      handlers.handle(
        "grantConsent",
        ({ payload }) => Effect.flatMap(Caller, (caller) => grantConsent(caller, payload))
      )
  )
