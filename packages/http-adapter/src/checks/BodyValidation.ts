import { NodeRequest } from "@community-messaging/http-api-node/NodeRequest"
import { Headers, HttpApp, HttpRouter, HttpServerRequest } from "@effect/platform"
import { type Context, Effect, Either, Layer, Option, type Scope } from "effect"
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
): Either.Either<void, UnsupportedMediaType> => {
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding !== "identity") return Either.left(new UnsupportedMediaType())
  const contentType = request.headers["content-type"] ?? "application/json"
  // What nearly all send needs no parsing.
  if (contentType === "application/json") return Either.void
  const mediaType = MediaType.parse(contentType)
  if (Option.exists(mediaType, MediaType.isJson)) return Either.void
  const advice = Option.filter(checks.formAdvice, () => Option.exists(mediaType, MediaType.isForm))
  return Either.left(
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

/** The request with its body read, for the handler to get it without another look at it. */
const withBody = (request: Request, body: unknown, payload: unknown): Request => {
  if (request instanceof NodeRequest) return request.handOver({ payload })
  return Object.defineProperties(
    request.modify({ headers: Headers.set(request.headers, "content-type", "application/json") }),
    { json: { value: Effect.succeed(body) } }
  )
}

const validation = (further: Context.Tag.Service<FurtherViolations>) => {
  const checksOf = EndpointChecks.make(Api)

  const decode = (request: Request, checks: EndpointChecks.EndpointChecks, body: unknown) => {
    const decoded = checks.body(body)
    return Either.isRight(decoded)
      ? Effect.succeed(withBody(request, body, decoded.right))
      : Effect.flatMap(
        further(checks.operation, body),
        (violations) => Effect.fail(new InvalidFormBody({ errors: [...decoded.left, ...violations] }))
      )
  }

  return Effect.flatMap(
    HttpRouter.RouteContext,
    ({ route }) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const checks = checksOf(route)
        return checks === undefined
          ? Effect.succeed(request)
          : requireJson(request, checks).pipe(
            Effect.zipRight(readWithin(request, checks.bodyLimit)),
            Effect.flatMap(JsonBody.parse),
            Effect.flatMap((body) => decode(request, checks, body))
          )
      })
  )
}

/** Reads the body and checks it against the definition of its endpoint. */
export const layer = Layer.effect(BodyValidation, Effect.map(FurtherViolations, validation))
