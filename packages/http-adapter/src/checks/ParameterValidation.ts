import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../definition/Api.ts"
import { InvalidFormBody } from "../definition/ApiError.ts"
import { ParameterValidation } from "../definition/RequestValidation.ts"
import * as EndpointChecks from "./EndpointChecks.ts"

/** Checks the parameters of a request against the definition of its endpoint. */
export const layer = Layer.sync(ParameterValidation, () => {
  const checks = EndpointChecks.make(Api)
  return Effect.gen(function*() {
    const { params, route } = yield* HttpRouter.RouteContext
    const query = yield* HttpServerRequest.ParsedSearchParams
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const errors = checks.get(EndpointChecks.routeKey(route))?.parameterViolations({ path: params, query, headers }) ??
      []
    if (errors.length > 0) return yield* Effect.fail(new InvalidFormBody({ errors }))
  })
})
