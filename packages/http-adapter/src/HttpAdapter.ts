import * as Deadline from "@community-messaging/event-loop/Deadline"
import { Duration, Effect, Option } from "effect"
import type { IncomingMessage } from "node:http"
import * as AccountsHandlers from "./accounts/Handlers.ts"
import * as GuildMembersHandlers from "./guild-members/Handlers.ts"
import * as AuthorisedPage from "./oauth2/AuthorisedPage.ts"
import * as OAuth2Handlers from "./oauth2/Handlers.ts"
import { document } from "./OpenApiDocument.ts"
import * as OperationsHandlers from "./operations/Handlers.ts"
import * as DocumentationPage from "./pages/DocumentationPage.ts"
import * as FrontPage from "./pages/FrontPage.ts"
import * as PublicUrl from "./PublicUrl.ts"
import * as ScheduledMessagesHandlers from "./scheduled-messages/Handlers.ts"
import type { AllowedOrigins } from "./server/AllowedOrigins.ts"
import * as Authentication from "./server/Authentication.ts"
import * as BodyMemory from "./server/bodies/BodyMemory.ts"
import * as BodyReader from "./server/bodies/BodyReader.ts"
import * as CrossOrigin from "./server/CrossOrigin.ts"
import * as Listener from "./server/Listener.ts"
import type { Page } from "./server/Page.ts"
import * as Pipeline from "./server/Pipeline.ts"
import * as Prefix from "./server/Prefix.ts"
import * as Reply from "./server/replies/Reply.ts"
import * as Routes from "./server/Routes.ts"
import * as AvatarContentCheck from "./webhooks/AvatarContentCheck.ts"
import * as WebhooksHandlers from "./webhooks/Handlers.ts"
import { ServiceUnavailable } from "./wire/ApiError.ts"

/** The options of the HTTP adapter. */
export interface Options {
  /** The server's address as clients see it, without the prefix and `/v1`. */
  readonly publicUrl: string
  /** The path under which the API is served, such as `/chat`. By default, `/v1` is at the root of the server. */
  readonly prefix?: string
  /** The maximum time to handle a request, without reading its body: 10 seconds by default. */
  readonly requestTimeout?: Duration.Duration
  /**
   * The number of trusted proxies that append to `X-Forwarded-For`. 0 by default, because any client can send the
   * header.
   */
  readonly trustedProxies?: number
  /** The maximum time in which a client accepts no byte of a response: 30 seconds by default. */
  readonly writeTimeout?: Duration.Duration
  /** The maximum number of open event streams per admin key, a whole number: 8 by default. */
  readonly maxEventStreamsPerKey?: number
  /** The maximum memory of the bodies that are in progress. `BodyMemory.DEFAULT_LIMITS` by default. */
  readonly bodyMemory?: BodyMemory.Limits
  /** The origins whose pages may call the API from a browser: none by default. */
  readonly allowedOrigins?: AllowedOrigins
  /** Pages that are served besides those of the API, such as those for health checks. */
  readonly pages?: ReadonlyArray<Page>
  /**
   * Whether requests have spans, which continue the trace of a `traceparent` header. Off by default: a span costs as much
   * as a small response.
   */
  readonly tracing?: boolean
}

/** The default of `requestTimeout`. */
export const REQUEST_TIMEOUT = Duration.seconds(10)

/** The default of `maxEventStreamsPerKey`. */
export const MAX_EVENT_STREAMS_PER_KEY = 8

const WRITE_TIMEOUT = Duration.seconds(30)

/** The OpenAPI document. */
const openApiPage = (publicUrl: string): Page => ({
  _tag: "Page",
  path: "/v1/openapi.json",
  link: { name: "openapi", title: "OpenAPI document" },
  reply: {
    status: 200,
    headers: { "cache-control": "public, max-age=300" },
    // Encoded once: a large text would be copied for each connection.
    body: { contentType: "application/json", content: Buffer.from(JSON.stringify(document(publicUrl))) }
  }
})

/**
 * The documentation, on which operations can be tried. Its requests go to the origin from which it was loaded, because its
 * document has only the path of the public URL.
 */
const documentationPage = (publicUrl: string): Effect.Effect<Page> =>
  Effect.map(
    DocumentationPage.answer(Effect.sync(() => ({ document: document(new URL(publicUrl).pathname), isSecret: false }))),
    (reply) => ({
      _tag: "Page",
      path: "/v1/docs",
      link: { name: "documentation", title: "API documentation" },
      reply
    })
  )

/** All pages, and the front page that leads to them. */
const pagesOf = (publicUrl: string, others: ReadonlyArray<Page>): Effect.Effect<ReadonlyArray<Page>> =>
  Effect.map(documentationPage(publicUrl), (documentation) => {
    const pages = [...others, documentation, openApiPage(publicUrl), AuthorisedPage.page]
    const links = pages.flatMap(({ link, path }) => link === undefined ? [] : [{ ...link, path }])
    return [FrontPage.make(publicUrl, links), ...pages]
  })

/** Returns the value of the option. Any but a whole number of at least `minimum` is a mistake in the server's code. */
const wholeNumber = (option: keyof Options, value: number, minimum: number): Effect.Effect<number> =>
  Number.isSafeInteger(value) && value >= minimum
    ? Effect.succeed(value)
    : Effect.dieMessage(`${option} must be a whole number of at least ${minimum}, but is ${value}`)

/**
 * Answers requests for the whole API: the eight operations, the extension for operators, and the pages about it. Requires
 * the use cases, the two logs, `ImageInspector` and `RateLimits`.
 */
export const make = (options: Options) =>
  Effect.gen(function*() {
    const { allowedOrigins } = options
    const maxEventStreams = yield* wholeNumber(
      "maxEventStreamsPerKey",
      options.maxEventStreamsPerKey ?? MAX_EVENT_STREAMS_PER_KEY,
      1
    )
    const trustedProxies = yield* wholeNumber("trustedProxies", options.trustedProxies ?? 0, 0)
    const prefix = yield* Prefix.parse(options.prefix ?? "")
    const publicUrl = `${yield* PublicUrl.parseOrDie(options.publicUrl)}${prefix}`
    const webhooks = yield* WebhooksHandlers.make
    const find = Routes.make({
      handlers: {
        oauth2: yield* OAuth2Handlers.make(Option.some(`${publicUrl}${AuthorisedPage.page.path}`)),
        scheduledMessages: yield* ScheduledMessagesHandlers.make,
        guildMembers: yield* GuildMembersHandlers.make,
        administration: yield* AccountsHandlers.make,
        webhooks,
        logs: yield* OperationsHandlers.make(maxEventStreams)
      },
      contentChecks: new Map([[webhooks.update, yield* AvatarContentCheck.make]]),
      pages: yield* pagesOf(publicUrl, options.pages ?? [])
    })
    const authenticator = yield* Authentication.make(trustedProxies)
    const deadlines = yield* Deadline.make(options.requestTimeout ?? REQUEST_TIMEOUT)
    const bodies = yield* BodyReader.make(options.bodyMemory ?? BodyMemory.DEFAULT_LIMITS)
    const findBelow = Prefix.below(prefix, find)
    const answers = yield* Listener.make(
      findBelow,
      yield* Pipeline.make(authenticator, bodies, deadlines),
      bodies.drain,
      options.writeTimeout ?? WRITE_TIMEOUT,
      allowedOrigins === undefined ? undefined : CrossOrigin.make(allowedOrigins, prefix)
    )
    return {
      ...answers,
      /** Returns whether the request's path has a route other than the front page of the whole server. */
      hasRoute: (request: IncomingMessage) => {
        const { path } = Routes.targetOf(request)
        return path !== "/" && findBelow(request.method ?? "", path)._tag !== "Unknown"
      },
      /** Returns whether the request's path begins with the prefix. */
      isBelowPrefix: (request: IncomingMessage) => Prefix.isBelow(prefix, Routes.targetOf(request).path)
    }
  }).pipe(Effect.withTracerEnabled(options.tracing ?? false))

/** The reply to everything but pages while the server starts. */
const notYet = Reply.ofError(new ServiceUnavailable(), Reply.CLOSE)

/** Answers requests for these pages alone, and others with 503: the API is not ready yet. */
export const makeStarting = (pages: ReadonlyArray<Page>) =>
  Listener.make(
    (method, path) => {
      const page = pages.find((known) => known.path === path && ["GET", "HEAD"].includes(method))
      return { _tag: "Found", route: page ?? { _tag: "Page", path: "starting", reply: notYet }, path: {} }
    },
    () => ({ reply: Effect.succeed(notYet), end: () => {} }),
    (_source, whenDone) => whenDone(),
    WRITE_TIMEOUT
  )

/** Makes the request listener of a Node server that manages its connections itself and serves nothing else. */
export const listener = (options: Options) => Effect.map(make(options), ({ answer }) => answer)
