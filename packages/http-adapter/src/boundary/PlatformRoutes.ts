import type { ApiRoutes, Found } from "@community-messaging/http-api-node/ApiRoutes"
import * as RouteTable from "@community-messaging/http-api-node/RouteTable"
import { HttpApiBuilder, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Chunk, Effect } from "effect"

/** The address of a request with its path in one form: percent-encoded as little as can be. */
const urlOf = ({ params, route }: Found, query: string): string =>
  route.path.split("/").map((segment) =>
    segment.startsWith(":") ? encodeURIComponent(params[segment.slice(1)] ?? "") : segment
  ).join("/") + query

/** The routes of the API as the platform's own interpreter runs them, which finds them once more. */
export const make: Effect.Effect<
  ApiRoutes,
  never,
  Effect.Effect.Context<typeof HttpApiBuilder.httpApp>
> = Effect.gen(function*() {
  const { routes } = yield* HttpApiBuilder.Router.router
  const app = yield* HttpRouter.withRouterConfig(HttpApiBuilder.httpApp, {
    caseSensitive: true,
    ignoreDuplicateSlashes: false,
    ignoreTrailingSlash: false,
    // Our own table has decided by then; a long parameter is refused by what checks it.
    maxParamLength: Number.MAX_SAFE_INTEGER
  })
  return {
    find: RouteTable.make(Chunk.toReadonlyArray(routes)),
    run: (found, query) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.provideService(
          app,
          HttpServerRequest.HttpServerRequest,
          request.modify({ url: urlOf(found, query) })
        ))
  }
})
