import {
  Etag,
  FileSystem,
  HttpApp,
  HttpPlatform,
  type HttpRouter,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  type HttpServerResponse,
  Path
} from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Context, Effect, FiberRef, FiberRefs, Layer, Option, Runtime, RuntimeFlags, Scope } from "effect"
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

/** Answers a request, whatever becomes of it. */
type Handled = (request: NodeRequest) => Effect.Effect<void, unknown, Services | HttpServerRequest.HttpServerRequest>

/** Answers by an app, and closes the scope of the request: as `HttpApp.toHandled`, without spans. */
const handledBy =
  <E>(app: HttpApp.Default<E, Services | Scope.Scope>, write: ResponseWriter.ResponseWriter): Handled => (request) => {
    const answer = (response: HttpServerResponse.HttpServerResponse) =>
      Effect.withFiberRuntime<void, HttpServerError.ResponseError>((fiber) => {
        const handler = fiber.getFiberRef(HttpApp.currentPreResponseHandlers)
        return Option.isNone(handler)
          ? write(request, response)
          : Effect.flatMap(handler.value(request, response), (changed) => write(request, changed))
      })

    const answered = Effect.matchCauseEffect(app, {
      onSuccess: answer,
      onFailure: (failure) =>
        Effect.flatMap(
          HttpServerError.causeResponse(failure),
          ([response, cause]) =>
            Effect.zipRight(answer(response), Cause.isEmptyType(cause) ? Effect.void : Effect.failCause(cause))
        )
    })

    return Effect.flatMap(
      Scope.make(),
      (scope) =>
        Effect.flatMap(
          Effect.exit(Effect.provideService(answered, Scope.Scope, scope)),
          (exit) => Effect.zipRight(Scope.close(scope, exit), exit)
        )
    )
  }

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
    const isTraced = FiberRefs.getOrDefault(fiberRefs, FiberRef.currentTracerEnabled)
    const write = yield* ResponseWriter.make
    const handled: Handled = isTraced
      ? (request) => HttpApp.toHandled(app, (_request, response) => write(request, response))
      : handledBy(app, write)
    // A handler can be interrupted, the answering can not.
    const uninterruptible = RuntimeFlags.disable(runtimeFlags, RuntimeFlags.Interruption)

    const listener = (source: IncomingMessage, response: ServerResponse) => {
      const request = new NodeRequest(source, response)
      const runtime = Runtime.make({
        context: Context.add(services, HttpServerRequest.HttpServerRequest, request),
        fiberRefs,
        runtimeFlags: uninterruptible
      })
      const fiber = Runtime.runFork(runtime)(handled(request))
      if (fiber.unsafePoll() !== null) return
      response.on("close", () => {
        if (!response.writableEnded) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
      })
    }

    server.on("request", listener)
    yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", listener)))
  }))
