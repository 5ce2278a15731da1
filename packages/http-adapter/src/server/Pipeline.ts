import type { Deadline, Deadlines } from "@community-messaging/event-loop/Deadline"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidFormBody, ServiceUnavailable } from "../wire/ApiError.ts"
import type { Authenticated, Authenticator, Unauthenticated } from "./Authentication.ts"
import type { Lease } from "./bodies/BodyMemory.ts"
import type { BodyReader } from "./bodies/BodyReader.ts"
import type { Exchange } from "./Exchange.ts"
import * as ErrorMapping from "./replies/ErrorMapping.ts"
import { NO_HEADERS, ofError, type Reply } from "./replies/Reply.ts"
import type { Decoded, PathParameters, Route } from "./Routes.ts"
import * as Violations from "./Violations.ts"

/** A request whose route is found. */
export interface Request {
  readonly route: Route
  readonly path: PathParameters
  readonly query: string
  readonly source: IncomingMessage
  /** Gets the principal when it is known, and a 503 reply when the work on the request takes too long. */
  readonly exchange: Pick<Exchange, "abandon" | "identify" | "principalAnnotations">
}

/** The work on a request. */
export interface Work {
  readonly reply: Effect.Effect<Reply>
  /** Ends the deadline and releases the memory of the body. Call it at the end of the work, also after a failure. */
  readonly end: () => void
}

/** Makes the work that replies to a request. */
export type Pipeline = (request: Request) => Work

/** How long the credentials of a request are trusted while its body arrives, in nanoseconds: one second. */
const TRUSTED_FOR = 1_000_000_000n

/** An authenticated request. */
interface Accepted {
  readonly unauthenticated: Unauthenticated
  readonly authenticated: Authenticated
  readonly deadline: Deadline
  /** Takes a lease of memory for the body, once. */
  readonly lease: () => Lease
  /** Whether the memory of the body is counted, because it is large. */
  readonly isCounted: () => boolean
}

const handle = (
  { deadline, unauthenticated: { route } }: Accepted,
  { headers, path, urlParams }: Decoded,
  caller: Authenticated["caller"],
  payload: unknown
): Effect.Effect<unknown, unknown> => {
  deadline.begin()
  return route.handle({ path, urlParams, headers, payload, caller })
}

/** Decodes the body, or fails with all of its violations, and handles the request. */
const handleBody = (
  accepted: Accepted,
  parameters: Decoded,
  caller: Authenticated["caller"],
  { contentCheck, decode }: Option.Option.Value<Route["body"]>,
  value: unknown
): Effect.Effect<unknown, unknown> => {
  const decoded = decode(value)
  if (Either.isLeft(decoded)) {
    return Effect.flatMap(
      contentCheck(value, caller),
      (violations) => Effect.fail(new InvalidFormBody({ errors: Violations.limited([...decoded.left, ...violations]) }))
    )
  }
  const handled = () => handle(accepted, parameters, caller, decoded.right)
  // Decoding a large body takes time, and so does handling it: other requests get a turn in between.
  return accepted.isCounted() ? Effect.flatMap(nextTurn, handled) : handled()
}

/**
 * The path of a request: authenticate and count, decode the parameters, read and decode the body, handle, encode. The
 * first step that fails determines the response, with all violations of that step. The deadline does not count the time
 * in which the body arrives, because that depends on the client. If that takes long, the caller is authenticated again,
 * because the credentials may be revoked by then.
 */
export const make = (
  { authenticate, authenticateAgain }: Authenticator,
  bodies: BodyReader,
  deadlines: Deadlines
): Effect.Effect<Pipeline> =>
  Effect.map(Effect.clock, (clock) => {
    const serve = (accepted: Accepted): Effect.Effect<unknown, unknown> => {
      const { authenticated: { caller }, unauthenticated } = accepted
      const { parameters, route, source } = unauthenticated
      accepted.deadline.end()
      if (Either.isLeft(parameters)) return Effect.fail(new InvalidFormBody({ errors: parameters.left }))
      if (Option.isNone(route.body)) return handle(accepted, parameters.right, caller, undefined)
      const body = route.body.value
      const authenticatedAt = clock.unsafeCurrentTimeNanos()
      const handleRead = (value: unknown): Effect.Effect<unknown, unknown> => {
        if (clock.unsafeCurrentTimeNanos() - authenticatedAt <= TRUSTED_FOR) {
          return handleBody(accepted, parameters.right, caller, body, value)
        }
        accepted.deadline.begin()
        return Effect.flatMap(authenticateAgain(unauthenticated), (current) => {
          accepted.deadline.end()
          return handleBody(accepted, parameters.right, current, body, value)
        })
      }
      const read = bodies.read(source, body.accepted, accepted.lease)
      // A small body has been read by now.
      return Either.isEither(read) && Either.isRight(read) ? handleRead(read.right) : Effect.flatMap(read, handleRead)
    }

    return (request) => {
      const { exchange, path, query, route, source } = request
      let headers = NO_HEADERS
      let lease: Lease | undefined
      const deadline = deadlines(() => exchange.abandon(ofError(new ServiceUnavailable(), headers)))
      return {
        reply: Effect.suspend(() => {
          // Decoded before authentication, because the path may contain the credentials.
          const parameters = route.decodeParameters({ path, query, headers: source.headers })
          const unauthenticated = { route, source, path, parameters }
          deadline.begin()
          const authentication = authenticate(unauthenticated, (principal) => exchange.identify(principal))
          return Effect.flatMap(authentication, (authenticated) => {
            headers = authenticated.headers
            return serve({
              unauthenticated,
              authenticated,
              deadline,
              lease: () => (lease ??= bodies.lease(authenticated.principal)),
              isCounted: () => lease?.isCounted() === true
            })
          })
        }).pipe(
          Effect.map((answer) => route.reply(answer, headers)),
          Effect.catchAllCause((cause) => ErrorMapping.toReply(cause, headers, exchange.principalAnnotations))
        ),
        end: () => {
          deadline.end()
          lease?.release()
        }
      }
    }
  })
