import {
  HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  type HttpApiMiddleware,
  HttpRouter
} from "@effect/platform"
import { Chunk, Context, Effect, identity, Layer, Pipeable, type Types } from "effect"
import * as EndpointRoute from "./EndpointRoute.ts"
import type { Endpoint } from "./RequestParts.ts"

type Group = HttpApiGroup.HttpApiGroup.AnyWithProps
type Items = Chunk.Chunk<EndpointRoute.Implementation>

interface Options {
  readonly uninterruptible?: boolean | undefined
}

/** The handlers of a group, all of them. They ask for nothing but what the request and the middlewares `M` provide. */
export interface Handled<M> {
  readonly [HttpApiBuilder.HandlersTypeId]: { readonly _Endpoints: Types.Covariant<never> }
  readonly handlers: Chunk.Chunk<HttpApiBuilder.Handlers.Item<unknown, M>>
}

/** The middlewares of single endpoints of a group. */
export type EndpointMiddlewares<Groups extends HttpApiGroup.HttpApiGroup.Any, Name extends string> =
  HttpApiMiddleware.HttpApiMiddleware.Only<
    HttpApiEndpoint.HttpApiEndpoint.Context<HttpApiGroup.HttpApiGroup.EndpointsWithName<Groups, Name>>
  >

/** Collects the handlers of a group, as `HttpApiBuilder.Handlers`. */
class Collected extends Pipeable.Class() {
  readonly [HttpApiBuilder.HandlersTypeId] = { _Endpoints: identity }
  readonly group: Group
  readonly handlers: Items

  constructor(group: Group, handlers: Items) {
    super()
    this.group = group
    this.handlers = handlers
  }

  handle(name: string, handler: EndpointRoute.Implementation["handler"], options?: Options): Collected {
    return this.#with(name, handler, false, options)
  }

  handleRaw(name: string, handler: EndpointRoute.Implementation["handler"], options?: Options): Collected {
    return this.#with(name, handler, true, options)
  }

  #with(
    name: string,
    handler: EndpointRoute.Implementation["handler"],
    withFullRequest: boolean,
    { uninterruptible = false }: Options = {}
  ): Collected {
    const endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps | undefined = this.group.endpoints[name]
    if (endpoint === undefined) throw new Error(`The group ${this.group.identifier} has no endpoint ${name}`)
    return new Collected(
      this.group,
      Chunk.append(this.handlers, { endpoint, handler, withFullRequest, uninterruptible })
    )
  }
}

/** A group as its API describes it, and the endpoints in it with the middlewares before them. */
const describe = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  name: string
) => {
  const groups: Array<Group> = []
  const endpoints = new Map<string, {
    readonly endpoint: Endpoint
    readonly middlewares: ReadonlySet<HttpApiMiddleware.TagClassAny>
  }>()
  HttpApi.reflect(api, {
    predicate: ({ group }) => group.identifier === name,
    onGroup: ({ group }) => group.identifier === name && groups.push(group),
    onEndpoint: ({ endpoint, middleware }) => endpoints.set(endpoint.name, { endpoint, middlewares: middleware })
  })
  const [group] = groups
  if (group === undefined) throw new Error(`The API ${api.identifier} has no group ${name}`)
  return { group, endpoints }
}

/**
 * Implements a group of an API, as `HttpApiBuilder.group` does and with the same `build`, by routes that cost a request as
 * little as can be: what is known before the first request is worked out before it. All services are taken by `build`; an
 * effect of a handler may ask for what the request and its middlewares provide.
 */
export const group = <
  ApiId extends string,
  Groups extends HttpApiGroup.HttpApiGroup.Any,
  ApiError,
  ApiR,
  const Name extends HttpApiGroup.HttpApiGroup.Name<Groups>,
  E,
  R
>(
  api: HttpApi.HttpApi<ApiId, Groups, ApiError, ApiR>,
  name: Name,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<ApiError, ApiR, HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
  ) => Effect.Effect<Handled<EndpointMiddlewares<Groups, Name>>, E, R>
) =>
  Layer.scopedContext(Effect.gen(function*() {
    const context = yield* Effect.context<
      HttpApiGroup.HttpApiGroup.MiddlewareWithName<Groups, Name> | EndpointMiddlewares<Groups, Name>
    >()
    const router = yield* HttpApiBuilder.Router
    const described = describe(api, name)
    // The methods of `Handlers` compute from each call which endpoints are left, which no class can be shown to do; `Handled`
    // wants none to be left.
    // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- HttpApiBuilder makes its own in the same way
    const unhandled = new Collected(described.group, Chunk.empty()) as unknown as Parameters<
      typeof build
    >[0]
    const handled = yield* build(unhandled)
    if (!(handled instanceof Collected)) return yield* Effect.dieMessage("The handlers are not those of this group")
    const routes = Chunk.map(handled.handlers, (item) => {
      const known = described.endpoints.get(item.endpoint.name)
      if (known === undefined) throw new Error(`The group ${name} has no endpoint ${item.endpoint.name}`)
      return EndpointRoute.make(known.endpoint, known.middlewares, item, context)
    })
    yield* router.concat(HttpRouter.fromIterable(routes))
    return Context.unsafeMake<HttpApiGroup.ApiGroup<ApiId, Name>>(new Map())
  })).pipe(Layer.provide(HttpApiBuilder.Router.Live))
