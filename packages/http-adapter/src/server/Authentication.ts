import { type AuthenticatedBot, Authentication } from "@community-messaging/domain/access/Authentication"
import { type AccessControl, type AdminKey, allows } from "@community-messaging/domain/access/Credential"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Either, Redacted } from "effect"
import type { IncomingMessage } from "node:http"
import {
  AccessDenied,
  AccountScheduledForDeletion,
  InvalidFormBody,
  MissingAcl,
  Unauthorized,
  UnknownWebhook
} from "../wire/ApiError.ts"
import type { WebhookCaller } from "../wire/Credentials.ts"
import type { RateLimitBucket } from "../wire/RateLimitBucket.ts"
import type { Violation } from "../wire/Violation.ts"
import * as ClientAddress from "./rate-limits/ClientAddress.ts"
import { RateLimits } from "./rate-limits/RateLimits.ts"
import { type ErrorWithHeaders, withHeaders } from "./replies/ErrorMapping.ts"
import { type ApiError, type Headers, NO_HEADERS } from "./replies/Reply.ts"
import type { Decoded, PathParameters, Route } from "./Routes.ts"

/** The owner of the credentials. Requests are counted per principal. */
export type Principal = `user:${string}` | `admin:${string}` | `webhook:${string}`

/** The identified caller. It is counted even if the request is then rejected. */
interface Identified {
  readonly principal: Principal
  readonly caller: Either.Either<AuthenticatedBot | AdminKey | WebhookCaller, ApiError>
}

/** The authenticated caller, and the headers that report its rate limit. */
export interface Authenticated {
  readonly principal: Principal
  readonly caller: AuthenticatedBot | AdminKey | WebhookCaller
  readonly headers: Headers
}

/** A request whose body is not read yet. */
export interface Unauthenticated {
  readonly route: Route
  readonly source: IncomingMessage
  readonly path: PathParameters
  readonly parameters: Either.Either<Decoded, ReadonlyArray<Violation>>
}

/**
 * The token of an `Authorization` header with this scheme. The scheme is case-insensitive and followed by one or more
 * spaces (RFC 9110, 11.4).
 */
const tokenOf = ({ headers }: IncomingMessage, scheme: "bot" | "admin"): Redacted.Redacted | undefined => {
  const match = /^([^\s]+) +([^\s]+) *$/.exec(headers.authorization ?? "")
  return match?.[1]?.toLowerCase() === scheme && match[2] !== undefined ? Redacted.make(match[2]) : undefined
}

/** The error for an invalid or missing token, and for the token of an account that was deleted. */
export const unauthorized = (scheme: "Bot" | "Admin") =>
  Effect.fail(withHeaders(new Unauthorized(), { "www-authenticate": scheme }))

/** Fails unless the key has the access control. */
export const requireAcl = (key: AdminKey, required: AccessControl): Effect.Effect<void, MissingAcl> =>
  allows(key, required) ? Effect.void : Effect.fail(new MissingAcl())

const fail = (error: ApiError) => Effect.fail(withHeaders(error, NO_HEADERS))

/** The path of a webhook, as the definition decodes it. */
interface WebhookPath {
  readonly webhook_id: WebhookId
  readonly token: string
}

const isWebhookPath = (path: unknown): path is WebhookPath =>
  typeof path === "object" && path !== null && "webhook_id" in path && "token" in path

type Identification = Effect.Effect<Identified, ErrorWithHeaders | StorageError>

/** Identifies the caller of a request by its credentials. */
const identification = Effect.map(Effect.all([Authentication, Webhooks]), ([authentication, webhooks]) => ({
  /** The bot account of `Authorization: Bot <BOT_TOKEN>`. */
  bot: ({ source }: Unauthenticated): Identification => {
    const token = tokenOf(source, "bot")
    if (token === undefined) return unauthorized("Bot")
    return Effect.matchEffect(authentication.bot(token), {
      onSuccess: (bot) => Effect.succeed({ principal: `user:${bot.id}`, caller: Either.right(bot) }),
      onFailure: (error): Identification => {
        switch (error._tag) {
          case "InvalidCredentials":
            return unauthorized("Bot")
          case "AccountScheduledForDeletion": {
            const caller = Either.left(new AccountScheduledForDeletion())
            return Effect.succeed({ principal: `user:${error.userId}`, caller })
          }
          case "StorageError":
            return Effect.fail(error)
        }
      }
    })
  },
  /** The admin key of `Authorization: Admin <ADMIN_TOKEN>`. */
  admin: ({ source }: Unauthenticated): Identification => {
    const token = tokenOf(source, "admin")
    if (token === undefined) return unauthorized("Admin")
    return Effect.matchEffect(authentication.admin(token), {
      onSuccess: (key) => Effect.succeed({ principal: `admin:${key.id}`, caller: Either.right(key) }),
      onFailure: (error): Identification => error._tag === "StorageError" ? Effect.fail(error) : unauthorized("Admin")
    })
  },
  /** The webhook in the path, if the token in the path is valid. */
  webhook: ({ parameters }: Unauthenticated): Identification => {
    // A malformed id cannot be looked up. It counts as a failed attempt, like an unknown webhook.
    if (Either.isLeft(parameters)) return fail(new InvalidFormBody({ errors: parameters.left }))
    const { path } = parameters.right
    if (!isWebhookPath(path)) return Effect.dieMessage("The path of a webhook names it and its token")
    const token = Redacted.make(path.token)
    return Effect.matchEffect(webhooks.authenticate(path.webhook_id, token), {
      onSuccess: (webhook) =>
        Effect.succeed({ principal: `webhook:${webhook.id}`, caller: Either.right({ webhook, token }) }),
      onFailure: (error): Identification => {
        switch (error._tag) {
          case "UnknownWebhook":
            return fail(new UnknownWebhook())
          case "WebhookTokenMismatch":
            return fail(new AccessDenied())
          case "StorageError":
            return Effect.fail(error)
        }
      }
    })
  }
}))

/** Members are searched per user and guild; everything else is counted per principal. */
const keyIn = (bucket: RateLimitBucket, principal: Principal, path: PathParameters): string =>
  bucket === "member-search" ? `${principal}:${(path["guild_id"] ?? "").slice(0, 20)}` : principal

/** Authenticates requests. */
export interface Authenticator {
  /** Authenticates a request and counts it. Calls `onIdentified` before, also if the request is then refused. */
  readonly authenticate: (
    request: Unauthenticated,
    onIdentified: (principal: Principal) => void
  ) => Effect.Effect<Authenticated, ErrorWithHeaders | StorageError>
  /** Authenticates a request once more, without counting it. */
  readonly authenticateAgain: (
    request: Unauthenticated
  ) => Effect.Effect<Authenticated["caller"], ErrorWithHeaders | StorageError>
}

/**
 * Makes an authenticator, which counts requests for their principals, globally and in the bucket of the endpoint, and failed
 * attempts for their addresses (API gaps, Rate limits). So valid credentials are always accepted. `trustedProxies` is the
 * number of proxies in front of the server.
 */
export const make = (trustedProxies: number) =>
  Effect.map(Effect.all([identification, RateLimits]), ([identify, limits]): Authenticator => ({
    authenticate: (request, onIdentified) => {
      const { path, route: { bucket, credentials }, source } = request
      return Effect.matchEffect(identify[credentials](request), {
        onFailure: (error): Effect.Effect<never, ErrorWithHeaders | StorageError> =>
          error._tag === "StorageError" ? Effect.fail(error) : Effect.flatMap(
            limits.count("authentication", ClientAddress.rateLimitKey(source, trustedProxies)),
            (quota) => Effect.fail(withHeaders(error.error, { ...error.headers, ...quota() }))
          ),
        onSuccess: ({ caller, principal }) => {
          onIdentified(principal)
          const counted = Effect.zipRight(
            limits.count("global", principal),
            limits.count(bucket, keyIn(bucket, principal, path))
          )
          return Effect.flatMap(counted, (quota) =>
            Either.isRight(caller)
              ? Effect.succeed({ principal, caller: caller.right, headers: quota() })
              : Effect.fail(withHeaders(caller.left, quota())))
        }
      })
    },
    authenticateAgain: (request) =>
      Effect.flatMap(
        identify[request.route.credentials](request),
        ({ caller }) => Either.isRight(caller) ? Effect.succeed(caller.right) : fail(caller.left)
      )
  }))
