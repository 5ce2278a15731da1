import {
  Etag,
  FileSystem,
  HttpApp,
  HttpPlatform,
  type HttpRouter,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  Path
} from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Runtime, type Scope } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { ListenOptions } from "node:net"
import { NodeRequest } from "./NodeRequest.ts"
import * as ResponseWriter from "./ResponseWriter.ts"

/** A server of Node's that listens. */
export class NodeServer extends Context.Tag("@community-messaging/http-api-node/NodeServer")<NodeServer, Server>() {}

/** A server of Node's that listens there, as what `serve` wants and as the platform's. */
export const layer = (
  evaluate: () => Server,
  options: ListenOptions
): Layer.Layer<NodeServer | HttpServer.HttpServer, HttpServerError.ServeError> =>
  Layer.scopedContext(Effect.suspend(() => {
    const server = evaluate()
    return Effect.map(
      NodeHttpServer.make(() => server, options),
      (listening) => Context.make(HttpServer.HttpServer, listening).pipe(Context.add(NodeServer, server))
    )
  }))

/** What apps may need besides the request: what it takes to send files. */
type Services = HttpRouter.HttpRouter.DefaultServices

/**
 * Serves an app on Node's server with what each request needs and nothing more: one fiber, whose context holds the request
 * and what apps may need. An app takes all its other services when it is made, not at each request.
 */
export const serve = <E>(
  app: HttpApp.Default<E, Services | Scope.Scope>
): Layer.Layer<never, never, NodeServer | Services> =>
  Layer.scopedDiscard(Effect.gen(function*() {
    const server = yield* NodeServer
    const { context, fiberRefs, runtimeFlags } = yield* Effect.runtime<Services>()
    const services = Context.pick(HttpPlatform.HttpPlatform, Etag.Generator, FileSystem.FileSystem, Path.Path)(context)
    const handled = HttpApp.toHandled(app, yield* ResponseWriter.make)

    const listener = (source: IncomingMessage, response: ServerResponse) => {
      const request = new NodeRequest(source, response)
      const fiber = Runtime.runFork(
        Runtime.make({
          context: Context.add(services, HttpServerRequest.HttpServerRequest, request),
          fiberRefs,
          runtimeFlags
        })
      )(handled)
      if (fiber.unsafePoll() !== null) return
      response.on("close", () => {
        if (!response.writableEnded) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
      })
    }

    server.on("request", listener)
    yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", listener)))
  }))
