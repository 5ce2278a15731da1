import { Either, Option, Schema } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import * as Permissions from "../shared-kernel/Permissions.ts"
import { type Application, ApplicationId } from "./Application.ts"
import { type InvalidScope, parse, type Scope } from "./Scope.ts"

/** What a user consents to, as it was asked for. Source: API reference, Grant OAuth2 consent. */
export interface ConsentRequest {
  readonly clientId: ApplicationId
  readonly scope: string
  readonly responseType: Option.Option<string>
  readonly redirectUri: Option.Option<string>
  readonly state: Option.Option<string>
  readonly permissions: Option.Option<Permissions.Permissions>
  readonly guildId: Option.Option<GuildId>
}

/** The most characters of `state` (API gaps, OAuth2 consent). */
export const MAX_STATE_LENGTH = 1024

/** No such application (RFC 6749, 5.2). */
export class InvalidClient extends Schema.TaggedError<InvalidClient>()("InvalidClient", { clientId: ApplicationId }) {}

/** Only `code` is supported (RFC 6749, 4.1.2.1). */
export class UnsupportedResponseType
  extends Schema.TaggedError<UnsupportedResponseType>()("UnsupportedResponseType", { responseType: Schema.String })
{}

/** The redirect URI is not registered, or is left out where it is needed (RFC 6749, 3.1.2.3). */
export class InvalidRedirectUri
  extends Schema.TaggedError<InvalidRedirectUri>()("InvalidRedirectUri", { clientId: ApplicationId })
{}

/** `bot` is asked for an application without a bot account, or whose bot account was deleted. */
export class NotABotApplication
  extends Schema.TaggedError<NotABotApplication>()("NotABotApplication", { clientId: ApplicationId })
{}

/** A bot to be added to a guild. */
export interface BotAddition {
  readonly guildId: GuildId
  readonly permissions: Permissions.Permissions
}

/** A request that an application may make. */
export interface ValidConsentRequest {
  readonly scopes: ReadonlyArray<Scope>
  readonly redirectUri: string
  /** Present when `bot` is among the scopes and a guild is named. */
  readonly bot: Option.Option<BotAddition>
}

/** The redirect URI by exact match with a registered one (RFC 9700, 4.1.3), or the one that stands for an omitted one. */
const redirectUri = (
  application: Application,
  request: ConsentRequest,
  scopes: ReadonlyArray<Scope>,
  authorisedPage: Option.Option<string>
): Either.Either<string, InvalidRedirectUri> => {
  const error = new InvalidRedirectUri({ clientId: application.id })
  const invalid = Either.left(error)
  const registered = application.redirectUris
  if (Option.isSome(request.redirectUri)) {
    return registered.includes(request.redirectUri.value) ? Either.right(request.redirectUri.value) : invalid
  }
  const [first] = registered
  if (first !== undefined && registered.length === 1) return Either.right(first)
  if (scopes.length !== 1 || scopes[0] !== "bot") return invalid
  return first === undefined ? Either.fromOption(authorisedPage, () => error) : Either.right(first)
}

/**
 * The request checked against the application. Where it has no redirect URI of its own, `authorisedPage` stands in, the
 * absolute URL of a page that says that all is done; without one, such a request is refused.
 */
export const validate = (
  application: Application,
  request: ConsentRequest,
  authorisedPage: Option.Option<string>
): Either.Either<
  ValidConsentRequest,
  InvalidRedirectUri | UnsupportedResponseType | InvalidScope | NotABotApplication
> =>
  Either.gen(function*() {
    const responseType = Option.getOrElse(request.responseType, () => "code")
    if (responseType !== "code") return yield* Either.left(new UnsupportedResponseType({ responseType }))
    const scopes = yield* parse(request.scope)
    const uri = yield* redirectUri(application, request, scopes, authorisedPage)
    const bot = scopes.includes("bot")
      ? Option.map(request.guildId, (guildId) => ({
        guildId,
        permissions: Permissions.known(Option.getOrElse(request.permissions, () => Permissions.NONE))
      }))
      : Option.none()
    if (Option.isSome(bot) && Option.isNone(application.botUserId)) {
      return yield* Either.left(new NotABotApplication({ clientId: application.id }))
    }
    return { scopes, redirectUri: uri, bot }
  })

/** `application/x-www-form-urlencoded` (WHATWG URL, 5.2), lone surrogates replaced as there. */
const formEncode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+")

/**
 * Where the user is sent after consent: the redirect URI with its own query kept, then `code`, then `state`, then
 * `guild_id` and `permissions` when a bot was added (RFC 6749, 4.1.2, form-encoded).
 */
export const redirectTo = (
  validated: ValidConsentRequest,
  code: string,
  state: Option.Option<string>
): string => {
  const parameters: ReadonlyArray<readonly [name: string, value: string]> = [
    ["code", code],
    ...Option.toArray(Option.map(state, (value) => ["state", value] as const)),
    ...Option.toArray(validated.bot).flatMap(({ guildId, permissions }) => [
      ["guild_id", guildId] as const,
      ["permissions", permissions.toString()] as const
    ])
  ]
  const query = parameters.map(([name, value]) => `${name}=${formEncode(value)}`).join("&")
  const uri = validated.redirectUri
  const separator = !uri.includes("?") ? "?" : uri.endsWith("?") || uri.endsWith("&") ? "" : "&"
  return `${uri}${separator}${query}`
}
