import { HttpApiBuilder, HttpMiddleware, HttpRouter, HttpServer } from "@effect/platform"
import { Chunk, Context, Effect, Layer } from "effect"
import * as RequestBoundary from "./boundary/RequestBoundary.ts"
import * as RequestId from "./boundary/RequestId.ts"
import * as RouteTable from "./boundary/RouteTable.ts"
import * as AdminAuthentication from "./checks/AdminAuthentication.ts"
import { Admission } from "./checks/Admission.ts"
import * as BodyValidation from "./checks/BodyValidation.ts"
import * as BotAuthentication from "./checks/BotAuthentication.ts"
import { FurtherViolations } from "./checks/FurtherViolations.ts"
import * as ParameterValidation from "./checks/ParameterValidation.ts"
import * as WebhookAuthentication from "./checks/WebhookAuthentication.ts"
import { Api } from "./definition/Api.ts"
import * as AdministrationHandlers from "./handlers/AdministrationHandlers.ts"
import * as AuthorisedPage from "./handlers/AuthorisedPage.ts"
import * as GuildMembersHandlers from "./handlers/GuildMembersHandlers.ts"
import * as LogsHandlers from "./handlers/LogsHandlers.ts"
import * as OAuth2Handlers from "./handlers/OAuth2Handlers.ts"
import * as OpenApiPage from "./handlers/OpenApiPage.ts"
import * as ScheduledMessagesHandlers from "./handlers/ScheduledMessagesHandlers.ts"
import * as WebhooksHandlers from "./handlers/WebhooksHandlers.ts"

/** Whether requests are traced. Off unless an operator turns it on: a span costs as much as a small answer. */
export class TracingEnabled extends Context.Reference<TracingEnabled>()(
  "@community-messaging/http-adapter/TracingEnabled",
  { defaultValue: () => false }
) {}

/** In the order in which a request meets them: who asks, whether it fits, what is done. */
const checks = Layer.mergeAll(
  Layer.mergeAll(BotAuthentication.layer, AdminAuthentication.layer, WebhookAuthentication.layer).pipe(
    Layer.provide(Admission.layer)
  ),
  ParameterValidation.layer,
  BodyValidation.layer.pipe(Layer.provide(FurtherViolations.layer))
)

const operations = Layer.mergeAll(
  OAuth2Handlers.layer,
  ScheduledMessagesHandlers.layer,
  GuildMembersHandlers.layer,
  AdministrationHandlers.layer,
  WebhooksHandlers.layer,
  LogsHandlers.layer
)

const pages = Layer.mergeAll(OpenApiPage.layer, AuthorisedPage.layer)

const served = Effect.gen(function*() {
  const router = yield* HttpApiBuilder.Router.router
  const app = yield* HttpRouter.withRouterConfig(HttpApiBuilder.httpApp, {
    caseSensitive: true,
    ignoreDuplicateSlashes: false,
    ignoreTrailingSlash: false,
    // Our own table has decided by then; a long parameter is refused by what checks it.
    maxParamLength: Number.MAX_SAFE_INTEGER
  })
  const tracing = yield* TracingEnabled
  const bounded = RequestBoundary.make(
    app,
    RouteTable.make(Chunk.toReadonlyArray(router.routes)),
    yield* RequestId.make
  )
  return HttpServer.serve(Effect.withTracerEnabled(bounded, tracing))
})

/**
 * The whole API, served by whatever `HttpServer` there is: the eight operations, the extension for operators, the OpenAPI
 * document and the page after consent. It needs the use cases, the two logs and `RateLimits`.
 */
export const layer = Layer.unwrapEffect(served).pipe(
  Layer.provide(HttpApiBuilder.api(Api)),
  Layer.provide([operations, pages]),
  Layer.provide(checks),
  Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]),
  // The platform's own span would carry the whole address, tokens included.
  HttpMiddleware.withTracerDisabledWhen(() => true)
)
