import * as ApiRoutes from "@community-messaging/http-api-node/ApiRoutes"
import * as HttpApiNode from "@community-messaging/http-api-node/HttpApiNode"
import * as NodeServer from "@community-messaging/http-api-node/NodeServer"
import { HttpApiBuilder, HttpMiddleware, HttpServer } from "@effect/platform"
import { Context, Effect, FiberRef, Layer } from "effect"
import * as PlatformRoutes from "./boundary/PlatformRoutes.ts"
import * as RequestBoundary from "./boundary/RequestBoundary.ts"
import * as RequestId from "./boundary/RequestId.ts"
import * as AdminAuthentication from "./checks/AdminAuthentication.ts"
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

/** Whether requests are traced. Off unless whoever puts the server together turns it on: a span costs as much as a small answer. */
export class TracingEnabled extends Context.Reference<TracingEnabled>()(
  "@community-messaging/http-adapter/TracingEnabled",
  { defaultValue: () => false }
) {}

/** In the order in which a request meets them: who asks, whether it fits, what is done. */
const checks = Layer.mergeAll(
  BotAuthentication.layer,
  AdminAuthentication.layer,
  WebhookAuthentication.layer,
  ParameterValidation.layer,
  BodyValidation.layer.pipe(Layer.provide(FurtherViolations.layer))
)

/** The operations, by the interpreter for Node. */
const operations = Layer.mergeAll(
  HttpApiNode.group(Api, "oauth2", OAuth2Handlers.build),
  HttpApiNode.group(Api, "scheduledMessages", ScheduledMessagesHandlers.build),
  HttpApiNode.group(Api, "guildMembers", GuildMembersHandlers.build),
  HttpApiNode.group(Api, "administration", AdministrationHandlers.build),
  HttpApiNode.group(Api, "webhooks", WebhooksHandlers.build),
  HttpApiNode.group(Api, "logs", LogsHandlers.build)
)

/** The same operations, by the platform's interpreter. */
const operationsByPlatform = Layer.mergeAll(
  HttpApiBuilder.group(Api, "oauth2", OAuth2Handlers.build),
  HttpApiBuilder.group(Api, "scheduledMessages", ScheduledMessagesHandlers.build),
  HttpApiBuilder.group(Api, "guildMembers", GuildMembersHandlers.build),
  HttpApiBuilder.group(Api, "administration", AdministrationHandlers.build),
  HttpApiBuilder.group(Api, "webhooks", WebhooksHandlers.build),
  HttpApiBuilder.group(Api, "logs", LogsHandlers.build)
)

const pages = Layer.mergeAll(OpenApiPage.layer, AuthorisedPage.layer)

/** An app of these routes, and whether its requests are traced. */
const app = <R>(routes: Effect.Effect<ApiRoutes.ApiRoutes, never, R>) =>
  Effect.all([
    Effect.map(Effect.all([routes, RequestId.make]), (made) => RequestBoundary.make(...made)),
    TracingEnabled
  ])

/**
 * The whole API, served by a server of Node's: the eight operations, the extension for operators, the OpenAPI document and
 * the page after consent. It needs the use cases, the two logs and `RateLimits`.
 */
export const layer = Layer.unwrapEffect(
  Effect.map(
    app(ApiRoutes.make),
    ([served, tracing]) => Layer.locally(NodeServer.serve(served), FiberRef.currentTracerEnabled, tracing)
  )
).pipe(
  Layer.provide(HttpApiBuilder.api(Api)),
  Layer.provide([operations, pages]),
  Layer.provide(checks),
  Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]),
  // The platform's own span would carry the whole address, tokens included.
  HttpMiddleware.withTracerDisabledWhen(() => true)
)

/** The same API, served by whatever `HttpServer` there is, as the platform's own interpreter does it: slower by far. */
export const layerPlatform = Layer.unwrapEffect(
  Effect.map(
    app(PlatformRoutes.make),
    ([served, tracing]) => Layer.locally(HttpServer.serve(served), FiberRef.currentTracerEnabled, tracing)
  )
).pipe(
  Layer.provide(HttpApiBuilder.api(Api)),
  Layer.provide([operationsByPlatform, pages]),
  Layer.provide(checks),
  Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]),
  HttpMiddleware.withTracerDisabledWhen(() => true)
)
