import { Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidFormBody } from "../wire/ApiError.ts"
import type { Authenticated, Authenticator, Unauthenticated } from "./Authentication.ts"
import type { Bodies } from "./Body.ts"
import type { Lease } from "./BodyMemory.ts"
import type { Deadline } from "./Deadline.ts"
import * as ErrorMapping from "./ErrorMapping.ts"
import { nextTurn } from "./NextTurn.ts"
import { NO_HEADERS, type Reply } from "./Reply.ts"
import type { PathParameters, Route } from "./Routes.ts"
import * as Violations from "./Violations.ts"

/** A request whose route is found. */
export interface Request {
  readonly route: Route
  readonly path: PathParameters
  readonly query: string
  readonly source: IncomingMessage
  readonly deadline: Deadline
  /** Called with a 503 reply when the work on the request takes too long. */
  readonly onExpiry: (reply: Reply) => void
}

/** Replies to a request. The caller ends the deadline, because it may still count after a failure or an interruption. */
export type Pipeline = (request: Request) => Effect.Effect<Reply>

/** How long the credentials of a request are trusted while its body arrives, in nanoseconds: one second. */
const TRUSTED_FOR = 1_000_000_000n

/** Decodes the body, or fails with all of its violations. */
const decodeBody = (
  { contentCheck, decode }: Option.Option.Value<Route["body"]>,
  value: unknown,
  caller: Authenticated["caller"],
  lease: Lease
) => {
  const decoded = decode(value)
  // To decode a large body takes time, and to handle it too: others have their turn in between.
  if (Either.isRight(decoded)) return Effect.as(lease.isCounted() ? nextTurn : Effect.void, decoded.right)
  return Effect.flatMap(
    contentCheck(value, caller),
    (violations) => Effect.fail(new InvalidFormBody({ errors: Violations.limited([...decoded.left, ...violations]) }))
  )
}

/**
 * The path of a request: authenticate and count, decode the parameters, read and decode the body, handle, encode. The
 * first step that fails determines the response, with all violations of that step. The deadline does not count the time
 * in which the body arrives, because that depends on the client. If that takes long, the caller is authenticated again,
 * whose credentials may be revoked by then.
 */
export const make = ({ authenticate, authenticateAgain }: Authenticator, bodies: Bodies): Effect.Effect<Pipeline> =>
  Effect.map(Effect.clock, (clock) => {
    const serve = Effect.fnUntraced(
      function*(
        { deadline, onExpiry, route, source }: Request,
        unauthenticated: Unauthenticated,
        { caller, headers }: Authenticated,
        lease: Lease
      ) {
        const { parameters } = unauthenticated
        const onExpired = () => onExpiry(ErrorMapping.unavailable(headers))
        deadline.end()
        if (Either.isLeft(parameters)) return yield* Effect.fail(new InvalidFormBody({ errors: parameters.left }))
        let current = caller
        let payload: unknown
        if (Option.isSome(route.body)) {
          const authenticatedAt = clock.unsafeCurrentTimeNanos()
          const value = yield* bodies.read(source, route.body.value.accepted, lease)
          if (clock.unsafeCurrentTimeNanos() - authenticatedAt > TRUSTED_FOR) {
            deadline.begin(onExpired)
            current = yield* authenticateAgain(unauthenticated)
            deadline.end()
          }
          payload = yield* decodeBody(route.body.value, value, current, lease)
        }
        deadline.begin(onExpired)
        const answer = yield* route.handle({ ...parameters.right, payload, caller: current })
        deadline.end()
        return route.reply(answer, headers)
      },
      (served, _request, _unauthenticated, { headers }, lease) =>
        Effect.ensuring(
          Effect.catchAllCause(served, (cause) => ErrorMapping.toReply(cause, headers)),
          Effect.sync(lease.release)
        )
    )

    return (request) => {
      const { deadline, onExpiry, path, query, route, source } = request
      // Decoded before it is known who asks: the path may hold the credentials.
      const parameters = route.decodeParameters({ path, query, headers: source.headers })
      const unauthenticated = { route, source, path, parameters }
      deadline.begin(() => onExpiry(ErrorMapping.unavailable(NO_HEADERS)))
      return Effect.matchCauseEffect(authenticate(unauthenticated), {
        onFailure: (cause) => ErrorMapping.toReply(cause, NO_HEADERS),
        onSuccess: (authenticated) =>
          serve(request, unauthenticated, authenticated, bodies.lease(authenticated.principal))
      })
    }
  })
