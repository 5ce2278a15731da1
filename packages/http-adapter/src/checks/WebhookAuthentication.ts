import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { WebhookId } from "@community-messaging/domain/webhook/WebhookId"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { HttpRouter } from "@effect/platform"
import { Effect, Either, Layer, Redacted, Schema } from "effect"
import { available, Deadline } from "../Deadline.ts"
import { AccessDenied, InvalidFormBody, UnknownWebhook } from "../definition/ApiError.ts"
import { WebhookCredentials } from "../definition/Credentials.ts"
import * as Admission from "./Admission.ts"
import * as Violations from "./Violations.ts"

const Parameters = Schema.Struct({ webhook_id: WebhookId, token: Schema.String })

const decode = CompiledSchema.decodeUnknownEither(Parameters, { errors: "all" })

/** An id of the wrong form can not be looked up: here the parameters are looked at before the token. */
const addressed = (params: unknown) =>
  Either.mapLeft(decode(params), ({ issue }) => new InvalidFormBody({ errors: Violations.ofParameters(issue) }))

/** What counts as a failed attempt: an id of the wrong form names no webhook either. */
const isWrong = (error: unknown): boolean =>
  error instanceof AccessDenied || error instanceof UnknownWebhook || error instanceof InvalidFormBody

/** Finds the webhook that the path names, checks the token in the path, and counts the webhook's requests. */
export const layer = Layer.effect(
  WebhookCredentials,
  Effect.map(Effect.all([Admission.make, Webhooks, Deadline]), ([admission, webhooks, deadline]) => {
    /** The webhook that the path names, if the token in the path opens it. */
    const authenticate = Effect.flatMap(
      HttpRouter.RouteContext,
      ({ params }) =>
        Effect.flatMap(addressed(params), ({ token, webhook_id }) => {
          const presented = Redacted.make(token)
          return available(webhooks.authenticate(webhook_id, presented), deadline).pipe(
            Effect.map((webhook) => ({ webhook, token: presented })),
            Effect.catchTags({
              UnknownWebhook: () => Effect.fail(new UnknownWebhook()),
              WebhookTokenMismatch: () => Effect.fail(new AccessDenied())
            })
          )
        })
    )

    return admission.authenticate(authenticate, isWrong).pipe(
      Effect.tap(({ webhook }) => admission.admit(`webhook:${webhook.id}`))
    )
  })
)
