import { Either, Option, Schema } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import * as Permissions from "../shared-kernel/Permissions.ts"
import { type Application, ApplicationId, usableRedirectUris } from "./Application.ts"
import { type InvalidScope, parse, type Scope } from "./Scope.ts"

/** A request for a user's consent. Source: API reference, Grant OAuth2 consent. */
export interface ConsentRequest {
  readonly clientId: ApplicationId
  readonly scope: string
  readonly responseType: Option.Option<string>
  readonly redirectUri: Option.Option<string>
  readonly state: Option.Option<string>
  readonly permissions: Option.Option<Permissions.Permissions>
  readonly guildId: Option.Option<GuildId>
}

/** The maximum length of `state` in characters (API gaps, OAuth2 consent). */
export const MAX_STATE_LENGTH = 1024

/** There is no application with this id (RFC 6749, 5.2). */
export class InvalidClient extends Schema.TaggedError<InvalidClient>()("InvalidClient", { clientId: ApplicationId }) {
  override get message(): string {
    return `There is no application ${this.clientId}.`
  }
}

/** The response type is not `code`, the only one supported (RFC 6749, 4.1.2.1). */
export class UnsupportedResponseType
  extends Schema.TaggedError<UnsupportedResponseType>()("UnsupportedResponseType", { responseType: Schema.String })
{
  override get message(): string {
    return "The response type is not code."
  }
}

/** The redirect URI is not registered, or is missing although it is required (RFC 6749, 3.1.2.3). */
export class InvalidRedirectUri
  extends Schema.TaggedError<InvalidRedirectUri>()("InvalidRedirectUri", { clientId: ApplicationId })
{
  override get message(): string {
    return `The redirect URI is not registered for application ${this.clientId}, or is missing.`
  }
}

/** A bot is to be added to a guild, but the application has no bot account or its bot account is deleted. */
export class NotABotApplication
  extends Schema.TaggedError<NotABotApplication>()("NotABotApplication", { clientId: ApplicationId })
{
  override get message(): string {
    return `Application ${this.clientId} has no bot account.`
  }
}

/** A request to add a bot to a guild. */
export interface BotAddition {
  readonly guildId: GuildId
  readonly permissions: Permissions.Permissions
}

/** A consent request that passed all checks. */
export interface ValidConsentRequest {
  readonly scopes: ReadonlyArray<Scope>
  readonly redirectUri: string
  /** Present if the scopes include `bot` and the request has a guild. */
  readonly bot: Option.Option<BotAddition>
}

/**
 * Returns the redirect URI if it is registered (exact match: RFC 9700, 4.1.3), or the default for a request without
 * one.
 */
const redirectUri = (
  application: Application,
  request: ConsentRequest,
  scopes: ReadonlyArray<Scope>,
  authorisedPage: Option.Option<string>
): Either.Either<string, InvalidRedirectUri> => {
  const error = () => new InvalidRedirectUri({ clientId: application.id })
  const registered = usableRedirectUris(application)
  if (Option.isSome(request.redirectUri)) {
    return Either.fromOption(Option.filter(request.redirectUri, (uri) => registered.includes(uri)), error)
  }
  const [first] = registered
  if (first !== undefined && registered.length === 1) return Either.right(first)
  if (scopes.length !== 1 || scopes[0] !== "bot") return Either.left(error())
  return first === undefined ? Either.fromOption(authorisedPage, error) : Either.right(first)
}

/**
 * Checks the request against the application. If neither has a redirect URI, `authorisedPage` is used: the absolute URL
 * of a page that reports success. Without that page, the request fails.
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

/** Texts that need no encoding: all codes, and most states. */
const UNENCODED = /^[\w.*-]*$/

/** Encodes as `application/x-www-form-urlencoded` (WHATWG URL, 5.2); lone surrogates are replaced. */
const formEncode = (text: string): string => UNENCODED.test(text) ? text : formEncodeAny(text)

const formEncodeAny = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+")

/**
 * Returns the URL to which the user is redirected after consent: the redirect URI with its own query, then `code`, then
 * `state`, then `guild_id` and `permissions` if a bot was added (RFC 6749, 4.1.2, form-encoded).
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
