import { Duration, Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as HttpAdapter from "./HttpAdapter.ts"
import type { Answering } from "./server/connections/Connection.ts"
import * as Reply from "./server/replies/Reply.ts"
import { ServiceUnavailable } from "./wire/ApiError.ts"

/** How the API is mounted in a server of yours. */
export interface Options extends HttpAdapter.Options {
  /**
   * What happens to unknown paths under the prefix: `next` leaves them to the application, `404` answers them with the API's
   * 404. `next` by default. Without a `next` function, the answer is 404.
   */
  readonly unknownPaths?: "next" | "404"
  /** How long `drain` waits for requests in progress before it closes their connections: 10 seconds by default. */
  readonly shutdownTimeout?: Duration.Duration
}

/** The API in a server of yours. */
export interface Mounted {
  /** Returns whether the API answers the request's path, which depends on `unknownPaths`. */
  readonly handles: (request: IncomingMessage) => boolean
  /** Answers a request. Requests that are not for the API go to `next`, or get 404 if there is no `next`. */
  readonly listener: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void
  /**
   * Ends event streams, answers later requests with 503, and returns when all requests are answered, at the latest after
   * `shutdownTimeout`. Run it before the server closes, which waits for open event streams. The end of the scope runs
   * it, too.
   */
  readonly drain: Effect.Effect<void>
}

/**
 * Mounts the API under `prefix` in a Node server or in an Express or Fastify application, or in front of a Hono application.
 * Mount it before anything that reads bodies, such as `express.json()`: the API reads them itself, within its limits. Source:
 * docs/embedding.md.
 */
export const make = ({ shutdownTimeout = Duration.seconds(10), unknownPaths = "next", ...options }: Options) =>
  Effect.gen(function*() {
    const { answer, hasRoute, isBelowPrefix } = yield* HttpAdapter.make(options)
    const handles = unknownPaths === "404" ? isBelowPrefix : hasRoute
    const inProgress = new Map<ServerResponse, Answering>()
    /** Open while no request is in progress. */
    const allAnswered = Effect.unsafeMakeLatch(true)
    let isEnding = false

    const drain = Effect.suspend(() => {
      isEnding = true
      for (const answering of inProgress.values()) answering.endStream()
      return Effect.timeoutTo(Effect.interruptible(allAnswered.await), {
        duration: shutdownTimeout,
        onSuccess: () => {},
        // The socket of the request: a response that waits behind another one has none yet.
        onTimeout: () => inProgress.forEach((_, { req }) => req.socket.destroy())
      })
    }).pipe(Effect.zipRight(allAnswered.await))
    yield* Effect.addFinalizer(() => drain)

    const mounted: Mounted = {
      drain,
      handles,
      listener: (request, response, next) => {
        if (next !== undefined && !handles(request)) return next()
        const refusal = isEnding ? Reply.ofError(new ServiceUnavailable(), Reply.CLOSE) : undefined
        const answering = answer(request, response, refusal)
        if (answering.isClosed) return
        inProgress.set(response, answering)
        allAnswered.unsafeClose()
        response.once("close", () => {
          inProgress.delete(response)
          if (inProgress.size === 0) allAnswered.unsafeOpen()
        })
      }
    }
    return mounted
  })
