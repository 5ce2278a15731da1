import { NodeRequest } from "@community-messaging/http-api-node/NodeRequest"
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Either, Layer } from "effect"
import { Api } from "../definition/Api.ts"
import { InvalidFormBody } from "../definition/ApiError.ts"
import { ParameterValidation } from "../definition/RequestValidation.ts"
import * as EndpointChecks from "./EndpointChecks.ts"

/** Checks the parameters of a request against the definition of its endpoint. */
export const layer = Layer.sync(ParameterValidation, () => {
  const checks = EndpointChecks.make(Api)
  return Effect.contextWithEffect((context: Context.Context<HttpRouter.HttpRouter.Provided>) => {
    const { params, route } = Context.get(context, HttpRouter.RouteContext)
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    const query = Context.get(context, HttpServerRequest.ParsedSearchParams)
    const checked = checks(route)?.parameters({ path: params, query, headers: request.headers })
    if (checked === undefined) return Effect.void
    if (Either.isLeft(checked)) return Effect.fail(new InvalidFormBody({ errors: checked.left }))
    if (request instanceof NodeRequest) request.handOver(checked.right)
    return Effect.void
  })
})
