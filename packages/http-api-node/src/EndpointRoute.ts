import { type HttpApiBuilder, HttpApiError, HttpRouter, HttpServerResponse } from "@effect/platform"
import { type Context, Effect, ParseResult } from "effect"
import * as Answers from "./Answers.ts"
import * as Middlewares from "./Middlewares.ts"
import * as RequestParts from "./RequestParts.ts"

/** What an endpoint is handled by. */
export type Implementation = HttpApiBuilder.Handlers.Item<unknown, never>

/**
 * The route of an endpoint: the request is let through by the middlewares and decoded, the handler runs, and its value is
 * encoded. All that can be known of the endpoint is worked out here, once.
 */
export const make = (
  endpoint: RequestParts.Endpoint,
  middlewares: Iterable<Middlewares.Tag>,
  { handler, uninterruptible, withFullRequest }: Implementation,
  context: Context.Context<never>
): HttpRouter.Route<unknown, HttpRouter.HttpRouter.DefaultServices> => {
  const decode = RequestParts.make(endpoint, withFullRequest)
  const encode = Answers.ofSuccess(endpoint.successSchema.ast)
  const handle: (decoded: RequestParts.Arguments) => Middlewares.Step<unknown> = handler

  const answer = (value: unknown) => HttpServerResponse.isServerResponse(value) ? Effect.succeed(value) : encode(value)

  const handled = Effect.withFiberRuntime<HttpServerResponse.HttpServerResponse, unknown, Middlewares.Provided>(
    (fiber) => Effect.flatMap(Effect.flatMap(decode(fiber.currentContext), handle), answer)
  ).pipe(Effect.catchIf(ParseResult.isParseError, (error) => HttpApiError.HttpApiDecodeError.refailParseError(error)))

  return HttpRouter.makeRoute(endpoint.method, endpoint.path, Middlewares.wrap(middlewares, context, handled), {
    uninterruptible
  })
}
