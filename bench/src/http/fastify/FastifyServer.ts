import type { AuthenticatedBot } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { CODE_HOST_BODY_LIMIT, UPDATE_BODY_LIMIT } from "@community-messaging/http-adapter/webhooks/Api"
import * as ApiError from "@community-messaging/http-adapter/wire/ApiError"
import { type Effect, Either } from "effect"
import { fastify, type FastifyReply, type FastifyRequest } from "fastify"
import type { Server } from "node:http"
import type * as Bodies from "./Bodies.ts"
import * as Schemas from "./FastifySchemas.ts"
import { type Refused, refused } from "./Refused.ts"
import * as Service from "./Service.ts"

declare module "fastify" {
  interface FastifyRequest {
    bot: AuthenticatedBot | undefined
    adminKey: AdminKey | undefined
    webhook: Webhook | undefined
  }
}

interface StatusQuery {
  readonly status?: ScheduledMessageStatus | ReadonlyArray<ScheduledMessageStatus>
}

interface WebhookParams {
  readonly webhook_id: string
  readonly token: string
}

const INVALID = refused(new ApiError.InvalidFormBody({ errors: [] }))
const INVALID_JSON = refused(new ApiError.InvalidJson())

/** The refusal for an error of Fastify itself, by its code. */
const refusalOf = (code: string): Refused | undefined => {
  switch (code) {
    case "FST_ERR_VALIDATION":
      return INVALID
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return refused(new ApiError.UnsupportedMediaType())
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return refused(new ApiError.PayloadTooLarge())
    default:
      return code.startsWith("FST_ERR_CTP") ? INVALID_JSON : undefined
  }
}

const refuse = (reply: FastifyReply, { body, headers, status }: Refused) =>
  reply.code(status).headers(headers).type(body?.contentType ?? "application/json").send(body?.content)

const required = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("The request is not authenticated.")
  return value
}

const text = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.[0]

/** The service on Fastify: hooks authenticate, ajv validates, fast-json-stringify serialises. */
export const make = async (database: string): Promise<Server> => {
  const { authentication, close, count, operations, requestId, run } = await Service.make(database)

  const app = fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    genReqId: ({ headers }) => requestId(text(headers["x-request-id"])),
    routerOptions: { maxParamLength: 4096 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        // Fields whose values are replaced with null have no type.
        strictTypes: false,
        formats: Schemas.formats,
        keywords: [Schemas.orNull]
      }
    }
  })

  // Bodies are JSON or nothing.
  app.removeContentTypeParser("text/plain")

  app.decorateRequest("bot", undefined)
  app.decorateRequest("adminKey", undefined)
  app.decorateRequest("webhook", undefined)

  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id).header("cache-control", "no-store").header(
      "x-content-type-options",
      "nosniff"
    )
    done()
  })

  app.addHook("onResponse", ({ method, routeOptions }, reply, done) => {
    count(method, routeOptions.url ?? "unmatched", reply.statusCode, reply.elapsedTime / 1000)
    done()
  })

  app.setErrorHandler((error: { readonly code?: unknown; readonly name?: unknown }, _request, reply) => {
    const refusal = error.name === "SyntaxError" ? INVALID_JSON : refusalOf(String(error.code))
    return refusal === undefined
      ? reply.code(500).send({ code: "INTERNAL_SERVER_ERROR" })
      : refuse(reply, refusal)
  })

  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: "NOT_FOUND" }))

  /** Stores the caller of the request, or refuses it. */
  const identify = async <A>(
    reply: FastifyReply,
    caller: Effect.Effect<A, Refused>,
    keep: (caller: A) => void
  ): Promise<void> => {
    const result = await run(caller, reply.raw)
    if (Either.isRight(result)) keep(result.right)
    else await refuse(reply, result.left)
  }

  const asBot = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    identify(reply, authentication.bot(request.headers.authorization), (user) => {
      request.bot = user
    })

  const asAdmin = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    identify(reply, authentication.admin(request.headers.authorization), (key) => {
      request.adminKey = key
    })

  const asWebhook = (request: FastifyRequest<{ Params: WebhookParams }>, reply: FastifyReply): Promise<void> =>
    identify(reply, authentication.webhook(request.params.webhook_id, request.params.token), (webhook) => {
      request.webhook = webhook
    })

  const answer = async <A>(reply: FastifyReply, work: Effect.Effect<A, Refused>): Promise<FastifyReply> => {
    const result = await run(work, reply.raw)
    if (Either.isLeft(result)) return refuse(reply, result.left)
    return result.right === undefined ? reply.code(204).send() : reply.send(result.right)
  }

  app.post<{ Body: Bodies.Consent }>(
    "/v1/oauth2/authorize/consent",
    { onRequest: asBot, schema: { body: Schemas.consentBody, response: Schemas.consentAnswer } },
    (request, reply) => answer(reply, operations.grantConsent(required(request.bot), request.body))
  )

  app.get<{ Querystring: StatusQuery }>(
    "/v1/users/@me/scheduled-messages",
    {
      onRequest: asBot,
      schema: { querystring: Schemas.statusQuery, response: Schemas.scheduledMessagesAnswer }
    },
    (request, reply) => {
      const { status } = request.query
      const statuses = status === undefined ? [] : typeof status === "string" ? [status] : status
      return answer(reply, operations.listScheduledMessages(required(request.bot), statuses))
    }
  )

  app.post<{ Params: { readonly guild_id: string }; Body: Bodies.MemberSearch }>(
    "/v1/guilds/:guild_id/members-search",
    {
      onRequest: asBot,
      schema: {
        params: Schemas.guildParams,
        body: Schemas.memberSearchBody,
        response: Schemas.memberSearchAnswer
      }
    },
    (request, reply) =>
      answer(reply, operations.searchMembers(required(request.bot), request.params.guild_id, request.body))
  )

  app.post<{ Body: Bodies.ScheduleDeletion }>(
    "/v1/admin/users/schedule-deletion",
    { onRequest: asAdmin, schema: { body: Schemas.scheduleDeletionBody, response: Schemas.userAnswer } },
    (request, reply) => answer(reply, operations.scheduleDeletion(required(request.adminKey), request.body))
  )

  app.post<{ Body: Bodies.ChangeEmail }>(
    "/v1/admin/users/change-email",
    { onRequest: asAdmin, schema: { body: Schemas.changeEmailBody, response: Schemas.userAnswer } },
    (request, reply) => answer(reply, operations.changeEmail(required(request.adminKey), request.body))
  )

  app.post<{ Params: WebhookParams; Body: Bodies.CodeHost }>(
    "/v1/webhooks/:webhook_id/:token/github",
    {
      onRequest: asWebhook,
      bodyLimit: CODE_HOST_BODY_LIMIT,
      schema: { body: Schemas.codeHostBody }
    },
    (request, reply) =>
      answer(
        reply,
        operations.executeCodeHost(
          required(request.webhook),
          {
            event: text(request.headers["x-github-event"]),
            deliveryId: text(request.headers["x-github-delivery"])
          },
          request.body
        )
      )
  )

  app.post<{ Params: WebhookParams; Body: Bodies.ErrorTracker }>(
    "/v1/webhooks/:webhook_id/:token/sentry",
    { onRequest: asWebhook, schema: { body: Schemas.errorTrackerBody } },
    (request, reply) =>
      answer(
        reply,
        operations.executeErrorTracker(
          required(request.webhook),
          {
            event: text(request.headers["sentry-hook-resource"]),
            deliveryId: text(request.headers["request-id"])
          },
          request.body
        )
      )
  )

  app.patch<{ Params: WebhookParams; Body: Bodies.UpdateWebhook }>(
    "/v1/webhooks/:webhook_id/:token",
    {
      onRequest: asWebhook,
      bodyLimit: UPDATE_BODY_LIMIT,
      schema: { body: Schemas.updateWebhookBody, response: Schemas.webhookAnswer }
    },
    (request, reply) =>
      answer(reply, operations.updateWebhook(required(request.webhook), request.params.token, request.body))
  )

  await app.ready()
  app.server.on("close", () => void close())
  return app.server
}
