import { Duration, Effect, Option } from "effect"
import type { IncomingMessage } from "node:http"
import * as AccountsHandlers from "./accounts/Handlers.ts"
import * as GuildMembersHandlers from "./guild-members/Handlers.ts"
import * as AuthorisedPage from "./oauth2/AuthorisedPage.ts"
import * as OAuth2Handlers from "./oauth2/Handlers.ts"
import { document } from "./OpenApiDocument.ts"
import * as OperationsHandlers from "./operations/Handlers.ts"
import * as ScheduledMessagesHandlers from "./scheduled-messages/Handlers.ts"
import * as Authentication from "./server/Authentication.ts"
import * as Body from "./server/Body.ts"
import * as BodyMemory from "./server/BodyMemory.ts"
import * as Deadline from "./server/Deadline.ts"
import * as Listener from "./server/Listener.ts"
import * as Pipeline from "./server/Pipeline.ts"
import * as Prefix from "./server/Prefix.ts"
import * as Reply from "./server/Reply.ts"
import * as RequestTarget from "./server/RequestTarget.ts"
import * as Routes from "./server/Routes.ts"
import * as AvatarContentCheck from "./webhooks/AvatarContentCheck.ts"
import * as WebhooksHandlers from "./webhooks/Handlers.ts"

/** The options of the HTTP adapter. */
export interface Options {
  /** The server's address as clients see it, without a trailing slash, the prefix and `/v1`. */
  readonly publicUrl: string
  /** The path under which the API is served, such as `/chat`. By default, `/v1` is at the root of the server. */
  readonly prefix?: string
  /** The maximum time to handle a request, without reading its body. Infinite by default. */
  readonly requestTimeout?: Duration.Duration
  /**
   * The number of trusted proxies that append to `X-Forwarded-For`. 0 by default, because any client can send the
   * header.
   */
  readonly trustedProxies?: number
  /** The maximum time in which a client accepts no byte of a response: 30 seconds by default. */
  readonly writeTimeout?: Duration.Duration
  /** The maximum number of open event streams per admin key: 8 by default. */
  readonly maxEventStreamsPerKey?: number
  /** The maximum memory of the bodies that are in progress. `BodyMemory.DEFAULT_LIMITS` by default. */
  readonly bodyMemory?: BodyMemory.Limits
  /** Whether requests have spans. Off by default: a span costs as much as a small response. */
  readonly tracing?: boolean
}

/** The OpenAPI document. */
const openApiPage = (publicUrl: string): Routes.Page => ({
  _tag: "Page",
  path: "/v1/openapi.json",
  reply: Reply.encoded(Reply.json(200, document(publicUrl), { "cache-control": "public, max-age=300" }))
})

/**
 * Answers requests for the whole API: the eight operations, the extension for operators, the OpenAPI document and the page
 * after consent. Requires the use cases, the two logs and `RateLimits`.
 */
export const make = (
  { bodyMemory, maxEventStreamsPerKey, publicUrl, requestTimeout, tracing, trustedProxies, writeTimeout, ...options }:
    Options
) =>
  Effect.gen(function*() {
    const prefix = yield* Prefix.parse(options.prefix ?? "")
    const baseUrl = `${publicUrl.replace(/\/$/, "")}${prefix}`
    const webhooks = yield* WebhooksHandlers.make
    const find = Routes.make({
      handlers: {
        oauth2: yield* OAuth2Handlers.make(Option.some(`${baseUrl}${AuthorisedPage.page.path}`)),
        scheduledMessages: yield* ScheduledMessagesHandlers.make,
        guildMembers: yield* GuildMembersHandlers.make,
        administration: yield* AccountsHandlers.make,
        webhooks,
        logs: yield* OperationsHandlers.make(maxEventStreamsPerKey ?? 8)
      },
      contentChecks: new Map([[webhooks.update, yield* AvatarContentCheck.make]]),
      pages: [openApiPage(baseUrl), AuthorisedPage.page]
    })
    const authenticator = yield* Authentication.make(trustedProxies ?? 0)
    const deadlines = yield* Deadline.make(requestTimeout ?? Duration.seconds(10))
    const bodies = yield* Body.make(bodyMemory ?? BodyMemory.DEFAULT_LIMITS)
    const findBelow = Prefix.below(prefix, find)
    const answers = yield* Listener.make(
      findBelow,
      yield* Pipeline.make(authenticator, bodies),
      bodies.drain,
      deadlines,
      writeTimeout ?? Duration.seconds(30)
    )
    return {
      ...answers,
      /** Returns whether there is anything at the request's path. */
      handles: (request: IncomingMessage) =>
        findBelow(request.method ?? "", RequestTarget.of(request).path)._tag !== "Unknown",
      /** Returns whether the request's path begins with the prefix. */
      isBelowPrefix: (request: IncomingMessage) => Option.isSome(Prefix.remove(prefix, RequestTarget.of(request).path))
    }
  }).pipe(Effect.withTracerEnabled(tracing ?? false))

/** Makes the request listener of a Node server that manages its connections itself and serves nothing else. */
export const listener = (options: Options) => Effect.map(make(options), ({ answer }) => answer)
