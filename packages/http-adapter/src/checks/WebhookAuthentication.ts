import { WebhookId } from "@community-messaging/domain/webhook/WebhookId"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { HttpRouter } from "@effect/platform"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { available, Deadline } from "../Deadline.ts"
import { AccessDenied, InvalidFormBody, UnknownWebhook } from "../definition/ApiError.ts"
import { WebhookCredentials } from "../definition/Credentials.ts"
import { Admission } from "./Admission.ts"
import * as Violations from "./Violations.ts"

const Parameters = Schema.Struct({ webhook_id: WebhookId, token: Schema.String })

const isWrong = (error: unknown): boolean => error instanceof AccessDenied || error instanceof UnknownWebhook

/** The webhook that the path names, if the token in the path opens it. */
const authenticate = Effect.gen(function*() {
  const { params } = yield* HttpRouter.RouteContext
  // An id of the wrong form can not be looked up: there the parameters have to be looked at before the token.
  const { token, webhook_id } = yield* Effect.mapError(
    Schema.decodeUnknown(Parameters, { errors: "all" })(params),
    ({ issue }) => new InvalidFormBody({ errors: Violations.ofParameters(issue) })
  )
  const presented = Redacted.make(token)
  const webhooks = yield* Webhooks
  const webhook = yield* available(webhooks.authenticate(webhook_id, presented), yield* Deadline).pipe(
    Effect.catchTags({
      UnknownWebhook: () => Effect.fail(new UnknownWebhook()),
      WebhookTokenMismatch: () => Effect.fail(new AccessDenied())
    })
  )
  return { webhook, token: presented }
})

/** Finds the webhook that the path names, checks the token in the path, and counts the webhook's requests. */
export const layer = Layer.effect(
  WebhookCredentials,
  Effect.map(Effect.context<Admission | Webhooks>(), (context) => {
    const admission = Context.get(context, Admission)
    return admission.authenticate(Effect.provide(authenticate, context), isWrong).pipe(
      Effect.tap(({ webhook }) => admission.admit(`webhook:${webhook.id}`))
    )
  })
)
