import {
  HttpApi,
  HttpApiBuilder,
  type HttpApiGroup,
  type HttpApp,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Chunk, Effect, type SchemaAST } from "effect"
import * as Answers from "./Answers.ts"
import * as Middlewares from "./Middlewares.ts"
import * as RequestTarget from "./RequestTarget.ts"
import * as RouteTable from "./RouteTable.ts"

type Services = HttpRouter.HttpRouter.DefaultServices

/** A route of the platform's router: an endpoint of the API or whatever else is served beside it. */
export type Route = HttpRouter.Route<unknown, Services>

/** What the table has for a request that is to be answered by a route. */
export type Found = Extract<RouteTable.Match<Route>, { readonly _tag: "Found" }>

/** The routes of an API, and how one is run. */
export interface ApiRoutes {
  readonly find: RouteTable.RouteTable<Route>
  /** Answers the request by that route; errors become what the API says of them. Fails with those it says nothing of. */
  readonly run: (found: Found, query: string) => HttpApp.Default<unknown, Services>
}

/** All error schemas of an API, in the order in which they are asked. */
const errorSchemas = (
  api: HttpApi.HttpApi<string, HttpApiGroup.HttpApiGroup.AnyWithProps>
): ReadonlyArray<SchemaAST.AST> => {
  const groups: Array<HttpApiGroup.HttpApiGroup.AnyWithProps> = []
  HttpApi.reflect(api, { onGroup: ({ group }) => groups.push(group), onEndpoint: () => {} })
  return [
    api.errorSchema.ast,
    ...groups.flatMap(({ endpoints, errorSchema }) => [
      ...Object.values(endpoints).map((endpoint) => endpoint.errorSchema.ast),
      errorSchema.ast
    ])
  ]
}

const toResponse = (answer: HttpServerRespondable.Respondable) =>
  HttpServerResponse.isServerResponse(answer) ? Effect.succeed(answer) : HttpServerRespondable.toResponse(answer)

/** The routes that are in the router by now, with the middlewares and errors of the API. */
export const make: Effect.Effect<
  ApiRoutes,
  never,
  HttpApi.Api | HttpApiBuilder.Router | HttpApiBuilder.Middleware
> = Effect.gen(function*() {
  const { api, context } = yield* HttpApi.Api
  const { routes } = yield* HttpApiBuilder.Router.router
  const around = yield* Effect.flatMap(HttpApiBuilder.Middleware, ({ retrieve }) => retrieve)
  const answerError = Answers.ofErrors(errorSchemas(api))

  const handle = ({ params, route }: Found, query: string): Middlewares.Step<HttpServerResponse.HttpServerResponse> =>
    Effect.withFiberRuntime((fiber) => {
      // The context is the request's own: nobody else has it.
      const services = fiber.currentContext.unsafeMap
      services.set(HttpServerRequest.ParsedSearchParams.key, RequestTarget.parameters(query))
      services.set(HttpRouter.RouteContext.key, {
        [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId,
        route,
        params
      })
      if (fiber.currentSpan?._tag === "Span") fiber.currentSpan.attribute("http.route", route.path)
      const answered = Effect.flatMap(route.handler, toResponse)
      return route.uninterruptible ? answered : Effect.interruptible(answered)
    })

  return {
    find: RouteTable.make(Chunk.toReadonlyArray(routes)),
    run: (found, query) =>
      Effect.catchAllCause(
        around(Middlewares.wrap(api.middlewares, context, handle(found, query))),
        (cause) =>
          Effect.matchEffect(answerError(Cause.squash(cause)), {
            onFailure: () => Effect.failCause(cause),
            onSuccess: Effect.succeed
          })
      )
  }
})

/** The API and whatever else is in the router, as `HttpApiBuilder.httpApp`: what is in no route is not found. */
export const httpApp: Effect.Effect<
  HttpApp.Default<unknown, Services>,
  never,
  HttpApi.Api | HttpApiBuilder.Router | HttpApiBuilder.Middleware
> = Effect.map(make, ({ find, run }) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { path, query } = RequestTarget.split(request.url)
    const match = find(request.method, path)
    return match._tag === "Found" ? run(match, query) : Effect.fail(new HttpServerError.RouteNotFound({ request }))
  }))
