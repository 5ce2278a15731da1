import { Authentication } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import type { User } from "@community-messaging/domain/account/User"
import { isSnowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as ClientAddress from "@community-messaging/http-adapter/server/ClientAddress"
import { type QuotaExceeded, quotaHeaders, RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import * as ApiError from "@community-messaging/http-adapter/wire/ApiError"
import type { RateLimitBucket } from "@community-messaging/http-adapter/wire/RateLimitBucket"
import { Effect, Option, Redacted } from "effect"
import { type Refused, refused } from "./Refused.ts"

/** Who makes a request, and the headers that tell what is left of the limits. */
export interface Admitted<A> {
  readonly principal: A
  readonly headers: Readonly<Record<string, string>>
}

const NO_HEADERS: Readonly<Record<string, string>> = {}

const overQuota = ({ quota, retryAfter }: QuotaExceeded): Refused =>
  refused(new ApiError.RateLimited({ retry_after: retryAfter }), {
    ...quotaHeaders(quota),
    "retry-after": String(retryAfter)
  })

const UNAVAILABLE = refused(new ApiError.ServiceUnavailable())

const INVALID_WEBHOOK_ID = refused(
  new ApiError.InvalidFormBody({
    errors: [{ path: "webhook_id", message: "must be a snowflake", code: "INVALID_SNOWFLAKE_FORMAT" }]
  })
)

const tokenOf = (authorization: string | undefined, scheme: "bot" | "admin"): Redacted.Redacted | undefined => {
  const match = /^([^\s]+) +([^\s]+) *$/.exec(authorization ?? "")
  const token = match?.[2]
  return token !== undefined && match?.[1]?.toLowerCase() === scheme ? Redacted.make(token) : undefined
}

/**
 * Who asks, and whether it is within the limits: what every server does before it reads a body, by the same services and
 * in the same order as ours.
 */
export const make = Effect.gen(function*() {
  const authentication = yield* Authentication
  const webhooks = yield* Webhooks
  const limits = yield* RateLimits

  const attempt = <A>(address: string, authenticated: Effect.Effect<A, Refused>): Effect.Effect<A, Refused> => {
    const key = ClientAddress.keyOf(address)
    const countFailure = Effect.ignore(limits.count("authentication", key))
    return Effect.tapError(authenticated, ({ status }) => status < 500 && status !== 429 ? countFailure : Effect.void)
  }

  const admit = <A>(
    principal: A,
    key: string,
    bucket: RateLimitBucket,
    keyInBucket: string = key
  ): Effect.Effect<Admitted<A>, Refused> =>
    limits.count("global", key).pipe(
      Effect.zipRight(limits.count(bucket, keyInBucket)),
      Effect.mapBoth({
        onFailure: overQuota,
        onSuccess: (quota) => ({
          principal,
          headers: Option.match(quota, { onNone: () => NO_HEADERS, onSome: quotaHeaders })
        })
      })
    )

  const unauthorized = (scheme: string) =>
    Effect.fail(refused(new ApiError.Unauthorized(), { "www-authenticate": scheme }))

  const authenticateBot = (authorization: string | undefined): Effect.Effect<User, Refused> => {
    const token = tokenOf(authorization, "bot")
    return token === undefined ? unauthorized("Bot") : authentication.bot(token).pipe(
      Effect.catchAll((error) => {
        if (error._tag === "StorageError") return Effect.fail(UNAVAILABLE)
        return error._tag === "InvalidCredentials"
          ? unauthorized("Bot")
          : Effect.fail(refused(new ApiError.AccountScheduledForDeletion()))
      })
    )
  }

  const authenticateAdmin = (authorization: string | undefined): Effect.Effect<AdminKey, Refused> => {
    const token = tokenOf(authorization, "admin")
    return token === undefined ? unauthorized("Admin") : authentication.admin(token).pipe(
      Effect.catchAll((error) => error._tag === "StorageError" ? Effect.fail(UNAVAILABLE) : unauthorized("Admin"))
    )
  }

  const authenticateWebhook = (webhookId: string, token: string): Effect.Effect<Webhook, Refused> =>
    isSnowflake(webhookId)
      ? webhooks.authenticate(WebhookId.make(webhookId), Redacted.make(token)).pipe(
        Effect.mapError((error) => {
          if (error._tag === "StorageError") return UNAVAILABLE
          return refused(
            error._tag === "UnknownWebhook" ? new ApiError.UnknownWebhook() : new ApiError.AccessDenied()
          )
        })
      )
      : Effect.fail(INVALID_WEBHOOK_ID)

  return {
    /** The bot of the `Authorization` header. Members are searched per user and guild. */
    bot: (authorization: string | undefined, address: string, bucket: RateLimitBucket, guildId?: string) =>
      Effect.flatMap(attempt(address, authenticateBot(authorization)), (user) => {
        const key = `user:${user.id}`
        return admit(user, key, bucket, guildId === undefined ? key : `${key}:${guildId.slice(0, 20)}`)
      }),
    /** The admin key of the `Authorization` header. */
    admin: (authorization: string | undefined, address: string) =>
      Effect.flatMap(
        attempt(address, authenticateAdmin(authorization)),
        (key) => admit(key, `admin:${key.id}`, "administration")
      ),
    /** The webhook of the path. */
    webhook: (webhookId: string, token: string, address: string, bucket: RateLimitBucket) =>
      Effect.flatMap(
        attempt(address, authenticateWebhook(webhookId, token)),
        (webhook) => admit(webhook, `webhook:${webhook.id}`, bucket)
      )
  }
})
