import * as ApiRoutes from "@community-messaging/http-api-node/ApiRoutes"
import * as HttpApiNode from "@community-messaging/http-api-node/HttpApiNode"
import * as NodeServer from "@community-messaging/http-api-node/NodeServer"
import {
  Cookies,
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiError,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse,
  Multipart
} from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Logger, Redacted, Schema, Stream } from "effect"
import { createServer } from "node:http"

/** An API with one endpoint for each thing that an `HttpApi` can describe. */

export class Gone extends Schema.TaggedError<Gone>()(
  "Gone",
  { since: Schema.DateFromString },
  HttpApiSchema.annotations({ status: 410 })
) {}

export class Closed extends Schema.TaggedError<Closed>()(
  "Closed",
  {},
  HttpApiSchema.annotations({ status: 503 })
) {}

class Visitor extends Context.Tag("Visitor")<Visitor, { readonly name: string }>() {}

class Door extends HttpApiMiddleware.Tag<Door>()("Door", { failure: Closed }) {}

class Guest extends HttpApiMiddleware.Tag<Guest>()("Guest", { optional: true, failure: Closed, provides: Visitor }) {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
class Keys extends HttpApiMiddleware.Tag<Keys>()("Keys", {
  failure: HttpApiError.Unauthorized,
  provides: Visitor,
  security: {
    bearer: HttpApiSecurity.bearer,
    key: HttpApiSecurity.apiKey({ in: "header", key: "X-Key" }),
    query: HttpApiSecurity.apiKey({ in: "query", key: "key" }),
    basic: HttpApiSecurity.basic
  }
}) {}

const Item = Schema.Struct({ name: Schema.String, since: Schema.DateFromString })
const Moment = Schema.Struct({ since: Schema.DateFromString })
const Plain = Schema.Struct({ name: Schema.String, count: Schema.optional(Schema.Number) })

const things = HttpApiGroup.make("things")
  .add(HttpApiEndpoint.get("plain", "/plain").addSuccess(Plain))
  .add(HttpApiEndpoint.get("transformed", "/transformed").addSuccess(Item))
  .add(HttpApiEndpoint.get("nothing", "/nothing"))
  .add(HttpApiEndpoint.get("created", "/created").addSuccess(Plain, { status: 201 }))
  .add(
    HttpApiEndpoint.get("either", "/either/:which").setPath(Schema.Struct({ which: Schema.String }))
      .addSuccess(Plain).addSuccess(Moment, { status: 202 })
  )
  .add(HttpApiEndpoint.get("text", "/text").addSuccess(HttpApiSchema.Text()))
  .add(HttpApiEndpoint.get("typedText", "/typed-text").addSuccess(HttpApiSchema.Text({ contentType: "text/csv" })))
  .add(HttpApiEndpoint.get("bytes", "/bytes").addSuccess(HttpApiSchema.Uint8Array()))
  .add(
    HttpApiEndpoint.get("form", "/form").addSuccess(
      HttpApiSchema.withEncoding(Schema.Struct({ name: Schema.String }), { kind: "UrlParams" })
    )
  )
  .add(HttpApiEndpoint.get("own", "/own").addSuccess(Plain))
  .add(HttpApiEndpoint.get("unfit", "/unfit").addSuccess(Schema.Struct({ at: Schema.Date })))
  .add(HttpApiEndpoint.get("gone", "/gone").addSuccess(Plain).addError(Gone))
  .add(HttpApiEndpoint.get("broken", "/broken").addSuccess(Plain))

const requests = HttpApiGroup.make("requests")
  .add(
    HttpApiEndpoint.get("parts", "/parts/:id/of/:name")
      .setPath(Schema.Struct({ id: Schema.NumberFromString, name: Schema.String }))
      .setUrlParams(Schema.Struct({
        limit: Schema.optional(Schema.NumberFromString),
        tag: Schema.optional(Schema.Array(Schema.String))
      }))
      .setHeaders(Schema.Struct({ "x-mood": Schema.optional(Schema.Literal("good", "bad")) }))
      .addSuccess(Schema.Unknown)
  )
  .add(
    HttpApiEndpoint.get("queried", "/queried").setPayload(Schema.Struct({ word: Schema.String }))
      .addSuccess(Schema.Unknown)
  )
  .add(HttpApiEndpoint.post("posted", "/posted").setPayload(Plain).addSuccess(Schema.Unknown))
  .add(
    HttpApiEndpoint.put("fields", "/fields").setPayload(
      HttpApiSchema.withEncoding(Schema.Struct({ name: Schema.String }), { kind: "UrlParams" })
    ).addSuccess(Schema.Unknown)
  )
  .add(HttpApiEndpoint.post("said", "/said").setPayload(HttpApiSchema.Text()).addSuccess(Schema.Unknown))
  .add(HttpApiEndpoint.post("raw", "/raw").setPayload(Plain).addSuccess(HttpApiSchema.Text()))
  .add(
    HttpApiEndpoint.post("upload", "/upload").setPayload(
      HttpApiSchema.Multipart(Schema.Struct({ file: Multipart.SingleFileSchema, note: Schema.String }))
    ).addSuccess(Schema.Unknown)
  )
  .add(
    HttpApiEndpoint.post("uploads", "/uploads").setPayload(
      HttpApiSchema.MultipartStream(Schema.Struct({ file: Multipart.FilesSchema }))
    ).addSuccess(Schema.Unknown)
  )
  .add(
    HttpApiEndpoint.patch("patched", "/patched/:id").setPath(Schema.Struct({ id: Schema.String }))
      .addSuccess(Schema.Unknown)
  )
  .add(HttpApiEndpoint.del("deleted", "/patched/:id").setPath(Schema.Struct({ id: Schema.String })))

const guarded = HttpApiGroup.make("guarded")
  .add(HttpApiEndpoint.get("secret", "/secret").addSuccess(HttpApiSchema.Text()))
  .middleware(Keys)

const singly = HttpApiGroup.make("singly")
  .add(HttpApiEndpoint.get("open", "/open").addSuccess(HttpApiSchema.Text()).middleware(Guest))
  .add(HttpApiEndpoint.get("shut", "/shut").addSuccess(HttpApiSchema.Text()).middleware(Door))

export const Api = HttpApi.make("example").add(things).add(requests).add(guarded).add(singly).addError(
  HttpApiError.Conflict
)

/** A group of the API while none of its endpoints is handled. */
type Unhandled<Name extends string> = typeof Api extends HttpApi.HttpApi<string, infer Groups, infer E, infer R>
  ? HttpApiBuilder.Handlers.FromGroup<E, R, HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
  : never

const visited = Cookies.fromIterable([Cookies.unsafeMakeCookie("visited", "yes", { path: "/", httpOnly: true })])

const since = new Date("2026-01-02T03:04:05.000Z")

const thingHandlers = (handlers: Unhandled<"things">) =>
  Effect.succeed(
    handlers
      .handle("plain", () => Effect.succeed({ name: "émile 🐘", count: 3 }))
      .handle("transformed", () => Effect.succeed({ name: "a", since }))
      .handle("nothing", () => Effect.void)
      .handle("created", () => Effect.succeed({ name: "new" }))
      .handle("either", ({ path }) => Effect.succeed(path.which === "plain" ? { name: "p" } : { since }))
      .handle("text", () => Effect.succeed("é\n"))
      .handle("typedText", () => Effect.succeed("a;b"))
      .handle("bytes", () => Effect.succeed(Uint8Array.of(0, 255, 128)))
      .handle("form", () => Effect.succeed({ name: "a&b c" }))
      .handle("own", () =>
        Effect.succeed(HttpServerResponse.text("mine", { status: 206, headers: { "x-own": "yes" }, cookies: visited })))
      .handle("unfit", () =>
        Effect.succeed({ at: new Date(Number.NaN) }))
      .handle("gone", () =>
        Effect.fail(new Gone({ since })))
      .handle("broken", () => Effect.die(new HttpApiError.Conflict()))
  )

const requestHandlers = (handlers: Unhandled<"requests">) =>
  Effect.succeed(
    handlers
      .handle("parts", ({ headers, path, urlParams }) => Effect.succeed({ headers, path, urlParams }))
      .handle("queried", ({ payload }) => Effect.succeed({ payload }))
      .handle("posted", ({ payload, request }) => Effect.succeed({ payload, method: request.method, url: request.url }))
      .handle("fields", ({ payload }) => Effect.succeed({ payload }))
      .handle("said", ({ payload }) => Effect.succeed({ payload }))
      .handleRaw("raw", ({ request }) =>
        Effect.orDie(Effect.zipWith(request.text, request.text, (first, second) => `${first} ${second}`)))
      .handle("upload", ({ payload }) =>
        Effect.succeed({ note: payload.note, name: payload.file.name, type: payload.file.contentType }))
      .handle("uploads", ({ payload }) =>
        Effect.map(
          Effect.orDie(Stream.runCollect(Stream.map(payload, (part) =>
            `${part._tag} ${part.key}`))),
          (parts) => ({ parts: Array.from(parts) })
        ))
      .handle("patched", ({ path }) =>
        Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies, remoteAddress }) => ({
          ...path,
          cookies,
          remoteAddress
        })))
      .handle("deleted", () =>
        Effect.void)
  )

const greet = Effect.map(Visitor, ({ name }) => `Welcome, ${name}`)

const guardedHandlers = (handlers: Unhandled<"guarded">) => Effect.succeed(handlers.handle("secret", () => greet))

const singleHandlers = (handlers: Unhandled<"singly">) =>
  Effect.succeed(
    handlers
      .handle("open", () =>
        Effect.map(Effect.serviceOption(Visitor), (visitor) =>
          visitor._tag === "Some" ? visitor.value.name : "nobody"))
      .handle("shut", () =>
        Effect.succeed("unreachable"))
  )

const letIn = (credential: string) =>
  credential.startsWith("good") ? Effect.succeed({ name: credential }) : Effect.fail(new HttpApiError.Unauthorized())

const middlewares = Layer.mergeAll(
  Layer.succeed(Door, Effect.fail(new Closed())),
  Layer.succeed(
    Guest,
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      ({ headers }) =>
        headers["x-guest"] === undefined ? Effect.fail(new Closed()) : Effect.succeed({ name: headers["x-guest"] })
    )
  ),
  Layer.succeed(Keys, {
    bearer: (token) => letIn(Redacted.value(token)),
    key: (key) => letIn(Redacted.value(key)),
    query: (key) => letIn(Redacted.value(key)),
    basic: ({ username }) => letIn(username)
  })
)

/** The port on which an interpreter serves the API. */
export class Port extends Context.Tag("Port")<Port, number>() {}

const portOfServer = Layer.effect(
  Port,
  Effect.map(HttpServer.HttpServer, ({ address }) => address._tag === "TcpAddress" ? address.port : 0)
)

const listening = Layer.merge(
  NodeServer.layer(createServer, { port: 0, host: "127.0.0.1" }),
  NodeHttpServer.layerContext
)

type ServedGroups = HttpApiGroup.ApiGroup<"example", "things" | "requests" | "guarded" | "singly">

const servedBy = <E1, R1, E2, R2>(serving: Layer.Layer<never, E1, R1>, groups: Layer.Layer<ServedGroups, E2, R2>) =>
  Layer.merge(portOfServer, serving).pipe(
    Layer.provide(HttpApiBuilder.api(Api)),
    Layer.provide(groups),
    Layer.provide(middlewares),
    Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]),
    Layer.provide(listening),
    Layer.provide(Logger.replace(Logger.defaultLogger, Logger.none)),
    Layer.orDie
  )

/** The API served by our interpreter. */
export const byNode = servedBy(
  Layer.unwrapEffect(Effect.map(ApiRoutes.httpApp, NodeServer.serve)),
  Layer.mergeAll(
    HttpApiNode.group(Api, "things", thingHandlers),
    HttpApiNode.group(Api, "requests", requestHandlers),
    HttpApiNode.group(Api, "guarded", guardedHandlers),
    HttpApiNode.group(Api, "singly", singleHandlers)
  )
)

/** The API served by the platform's interpreter. */
export const byPlatform = servedBy(
  Layer.unwrapEffect(Effect.map(HttpApiBuilder.httpApp, (app) => HttpServer.serve(app))),
  Layer.mergeAll(
    HttpApiBuilder.group(Api, "things", thingHandlers),
    HttpApiBuilder.group(Api, "requests", requestHandlers),
    HttpApiBuilder.group(Api, "guarded", guardedHandlers),
    HttpApiBuilder.group(Api, "singly", singleHandlers)
  )
)
