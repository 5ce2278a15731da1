import { Headers, HttpApp, HttpRouter, HttpServerRequest } from "@effect/platform"
import { type Context, Effect, Layer, Option, type Scope } from "effect"
import { Api } from "../definition/Api.ts"
import { InvalidFormBody, InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "../definition/ApiError.ts"
import { BodyValidation } from "../definition/RequestValidation.ts"
import * as BodyReader from "./BodyReader.ts"
import * as EndpointChecks from "./EndpointChecks.ts"
import { FurtherViolations } from "./FurtherViolations.ts"
import * as JsonBody from "./JsonBody.ts"
import { lingering } from "./LingeringClose.ts"
import * as MediaType from "./MediaType.ts"

type Request = HttpServerRequest.HttpServerRequest

/**
 * Refuses what is not declared as JSON in UTF-8, or is compressed. Without a `Content-Type` the body is taken for JSON:
 * there is nothing else that it could be.
 */
const requireJson = (
  request: Request,
  checks: EndpointChecks.EndpointChecks
): Effect.Effect<void, UnsupportedMediaType> => {
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding !== "identity") return Effect.fail(new UnsupportedMediaType())
  const contentType = request.headers["content-type"]
  if (contentType === undefined) return Effect.void
  const mediaType = MediaType.parse(contentType)
  if (Option.exists(mediaType, MediaType.isJson)) return Effect.void
  const advice = Option.filter(checks.formAdvice, () => Option.exists(mediaType, MediaType.isForm))
  return Effect.fail(
    Option.match(advice, {
      onNone: () => new UnsupportedMediaType(),
      onSome: (message) => new UnsupportedMediaType({ message })
    })
  )
}

const readWithin = (
  request: Request,
  limit: number
): Effect.Effect<Uint8Array, PayloadTooLarge | InvalidJson, Scope.Scope> =>
  BodyReader.read(request, limit).pipe(
    Effect.catchTags({
      BodyTooLarge: ({ rest }) =>
        Effect.zipRight(
          HttpApp.appendPreResponseHandler((_request, response) => Effect.succeed(lingering(response, rest))),
          Effect.fail(new PayloadTooLarge({ message: `The body is larger than ${limit} bytes.` }))
        ),
      BodyBroken: () => Effect.fail(new InvalidJson())
    })
  )

/** The request with its body parsed. */
const parsed = (request: Request, body: unknown): Request =>
  Object.defineProperties(
    request.modify({ headers: Headers.set(request.headers, "content-type", "application/json") }),
    { json: { value: Effect.succeed(body) } }
  )

const validation = (further: Context.Tag.Service<FurtherViolations>) => {
  const checksByRoute = EndpointChecks.make(Api)
  return Effect.gen(function*() {
    const { route } = yield* HttpRouter.RouteContext
    const request = yield* HttpServerRequest.HttpServerRequest
    const checks = checksByRoute.get(EndpointChecks.routeKey(route))
    if (checks === undefined) return request
    yield* requireJson(request, checks)
    const bytes = yield* readWithin(request, checks.bodyLimit)
    const body = yield* JsonBody.parse(bytes)
    const violations = checks.bodyViolations(body)
    if (violations.length === 0) return parsed(request, body)
    const errors = [...violations, ...yield* further(checks.operation, body)]
    return yield* Effect.fail(new InvalidFormBody({ errors }))
  })
}

/** Reads the body and checks it against the definition of its endpoint. */
export const layer = Layer.effect(BodyValidation, Effect.map(FurtherViolations, validation))
