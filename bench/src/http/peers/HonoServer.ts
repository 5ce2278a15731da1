import type { AdminKey } from "@community-messaging/domain/access/Credential"
import type { User } from "@community-messaging/domain/account/User"
import { isSnowflake } from "@community-messaging/domain/Snowflake"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import * as ApiError from "@community-messaging/http-adapter/wire/ApiError"
import { createAdaptorServer, type HttpBindings } from "@hono/node-server"
import { type Effect, Either } from "effect"
import { type Context, Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { createMiddleware } from "hono/factory"
import { validator } from "hono/validator"
import { Server } from "node:http"
import type { z } from "zod"
import type { Admitted } from "../service/Admission.ts"
import { type Refused, refused } from "../service/Refused.ts"
import { BODY_LIMIT } from "../service/Rules.ts"
import type { Service } from "../service/Service.ts"
import * as Schemas from "./HonoSchemas.ts"

interface Environment {
  Bindings: HttpBindings
}

type With<Variables extends object> = Environment & { Variables: Variables }

const INVALID = refused(new ApiError.InvalidFormBody({ errors: [] }))
const INVALID_JSON = refused(new ApiError.InvalidJson())
const UNSUPPORTED = refused(new ApiError.UnsupportedMediaType())
const TOO_LARGE = refused(new ApiError.PayloadTooLarge())

const refuse = (context: Context, { body, headers, status }: Refused): Response => {
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  context.header("content-type", "application/json")
  return context.newResponse(JSON.stringify(body), { status })
}

const limited = (maxSize: number) => bodyLimit({ maxSize, onError: (context) => refuse(context, TOO_LARGE) })

const addressOf = ({ incoming }: HttpBindings): string => incoming.socket.remoteAddress ?? "unknown"

/** The body as JSON that fits the schema. */
const body = <Schema extends z.ZodType>(schema: Schema) =>
  createMiddleware<With<{ body: z.output<Schema> }>>(async (context, next) => {
    if (context.req.header("content-type")?.startsWith("application/json") !== true) {
      return refuse(context, UNSUPPORTED)
    }
    let json: unknown
    try {
      json = await context.req.json()
    } catch {
      return refuse(context, INVALID_JSON)
    }
    const parsed = schema.safeParse(json)
    if (!parsed.success) return refuse(context, INVALID)
    context.set("body", parsed.data)
    return next()
  })

/** The service on Hono: middleware authenticates, zod validates, `context.json` serialises. */
export const make = (service: Service): Server => {
  const { admission, operations, run } = service

  const admit = async <A>(
    context: Context,
    admitted: Effect.Effect<Admitted<A>, Refused>,
    keep: (principal: A) => void
  ): Promise<Response | undefined> => {
    const result = await run(admitted)
    if (Either.isLeft(result)) return refuse(context, result.left)
    for (const [name, value] of Object.entries(result.right.headers)) context.header(name, value)
    keep(result.right.principal)
    return undefined
  }

  const asBot = (bucket: "consent" | "scheduled-messages" | "member-search") =>
    createMiddleware<With<{ bot: User }>>(async (context, next) => {
      const admitted = admission.bot(
        context.req.header("authorization"),
        addressOf(context.env),
        bucket,
        context.req.param("guild_id")
      )
      return await admit(context, admitted, (user) => context.set("bot", user)) ?? next()
    })

  const asAdmin = createMiddleware<With<{ adminKey: AdminKey }>>(async (context, next) => {
    const admitted = admission.admin(context.req.header("authorization"), addressOf(context.env))
    return await admit(context, admitted, (key) => context.set("adminKey", key)) ?? next()
  })

  const asWebhook = (bucket: "webhook-notification" | "webhook-update") =>
    createMiddleware<With<{ webhook: Webhook }>>(async (context, next) => {
      const admitted = admission.webhook(
        context.req.param("webhook_id") ?? "",
        context.req.param("token") ?? "",
        addressOf(context.env),
        bucket
      )
      return await admit(context, admitted, (webhook) => context.set("webhook", webhook)) ?? next()
    })

  const answer = async <A>(context: Context, work: Effect.Effect<A, Refused>): Promise<Response> => {
    const result = await run(work)
    if (Either.isLeft(result)) return refuse(context, result.left)
    return result.right === undefined ? context.body(null, 204) : context.json(result.right)
  }

  const app = new Hono<Environment>()

  app.use(async (context, next) => {
    context.header("x-request-id", service.requestId(context.req.header("x-request-id")))
    context.header("cache-control", "no-store")
    await next()
  })

  app.notFound((context) => context.json({ code: "NOT_FOUND" }, 404))

  app.post(
    "/v1/oauth2/authorize/consent",
    asBot("consent"),
    limited(BODY_LIMIT.usual),
    body(Schemas.consentBody),
    (context) => answer(context, operations.grantConsent(context.var.bot, context.var.body))
  )

  app.get(
    "/v1/users/@me/scheduled-messages",
    asBot("scheduled-messages"),
    validator("query", ({ status }, context) => {
      const parsed = Schemas.statuses.safeParse(status === undefined ? [] : [status].flat())
      return parsed.success ? parsed.data : refuse(context, INVALID)
    }),
    (context) => answer(context, operations.listScheduledMessages(context.var.bot, context.req.valid("query")))
  )

  app.post(
    "/v1/guilds/:guild_id/members-search",
    asBot("member-search"),
    limited(BODY_LIMIT.usual),
    validator(
      "param",
      ({ guild_id }, context) => isSnowflake(guild_id ?? "") ? { guild_id: guild_id ?? "" } : refuse(context, INVALID)
    ),
    body(Schemas.memberSearchBody),
    (context) => {
      const { guild_id } = context.req.valid("param")
      return answer(context, operations.searchMembers(context.var.bot, guild_id, context.var.body))
    }
  )

  app.post(
    "/v1/admin/users/schedule-deletion",
    asAdmin,
    limited(BODY_LIMIT.usual),
    body(Schemas.scheduleDeletionBody),
    (context) => answer(context, operations.scheduleDeletion(context.var.adminKey, context.var.body))
  )

  app.post(
    "/v1/admin/users/change-email",
    asAdmin,
    limited(BODY_LIMIT.usual),
    body(Schemas.changeEmailBody),
    (context) => answer(context, operations.changeEmail(context.var.adminKey, context.var.body))
  )

  app.post(
    "/v1/webhooks/:webhook_id/:token/github",
    asWebhook("webhook-notification"),
    limited(BODY_LIMIT.codeHost),
    body(Schemas.codeHostBody),
    (context) =>
      answer(
        context,
        operations.executeCodeHost(
          context.var.webhook,
          { event: context.req.header("x-github-event"), deliveryId: context.req.header("x-github-delivery") },
          context.var.body
        )
      )
  )

  app.post(
    "/v1/webhooks/:webhook_id/:token/sentry",
    asWebhook("webhook-notification"),
    limited(BODY_LIMIT.usual),
    body(Schemas.errorTrackerBody),
    (context) =>
      answer(
        context,
        operations.executeErrorTracker(
          context.var.webhook,
          { resource: context.req.header("sentry-hook-resource"), deliveryId: context.req.header("request-id") },
          context.var.body
        )
      )
  )

  app.patch(
    "/v1/webhooks/:webhook_id/:token",
    asWebhook("webhook-update"),
    limited(BODY_LIMIT.webhookUpdate),
    body(Schemas.updateWebhookBody),
    (context) =>
      answer(context, operations.updateWebhook(context.var.webhook, context.req.param("token"), context.var.body))
  )

  const server = createAdaptorServer({ fetch: app.fetch })
  if (!(server instanceof Server)) throw new Error("A server of HTTP/1 was asked for.")
  return server
}
