import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidFormBody } from "../wire/ApiError.ts"
import type { Authenticated, Unauthenticated } from "./Authentication.ts"
import type { Bodies } from "./Body.ts"
import type { Lease } from "./BodyMemory.ts"
import type { Deadline } from "./Deadline.ts"
import * as ErrorMapping from "./ErrorMapping.ts"
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

/** The next turn of the event loop. */
const nextTurn = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** Reads and decodes the body, or fails with all of its violations. Returns nothing if the endpoint has no body. */
const readBody = (
  { body }: Route,
  source: IncomingMessage,
  caller: Authenticated["caller"],
  bodies: Bodies,
  lease: Lease
) => {
  if (Option.isNone(body)) return Effect.void
  const { accepted, contentCheck, decode } = body.value
  return Effect.flatMap(bodies.read(source, accepted, lease), (value) => {
    const decoded = decode(value)
    // To decode a large body takes time, and to handle it too: others have their turn in between.
    if (Either.isRight(decoded)) return Effect.as(lease.isCounted() ? nextTurn : Effect.void, decoded.right)
    return Effect.flatMap(
      contentCheck(value, caller),
      (violations) => Effect.fail(new InvalidFormBody({ errors: Violations.limited([...decoded.left, ...violations]) }))
    )
  })
}

/**
 * The path of a request: authenticate and count, decode the parameters, read and decode the body, handle, encode. The
 * first step that fails determines the response, with all violations of that step. The deadline does not count the time
 * in which the body arrives, because that depends on the client.
 */
export const make = (
  authenticate: (
    request: Unauthenticated
  ) => Effect.Effect<Authenticated, ErrorMapping.ErrorWithHeaders | StorageError>,
  bodies: Bodies
): Pipeline => {
  const serve = Effect.fnUntraced(
    function*(
      { deadline, onExpiry, route, source }: Request,
      parameters: Unauthenticated["parameters"],
      { caller, headers }: Authenticated,
      lease: Lease
    ) {
      deadline.end()
      if (Either.isLeft(parameters)) return yield* Effect.fail(new InvalidFormBody({ errors: parameters.left }))
      const payload = yield* readBody(route, source, caller, bodies, lease)
      deadline.begin(() => onExpiry(ErrorMapping.unavailable(headers)))
      const answer = yield* route.handle({ ...parameters.right, payload, caller })
      deadline.end()
      return route.reply(answer, headers)
    },
    (served, _request, _parameters, { headers }, lease) =>
      Effect.ensuring(
        Effect.catchAllCause(served, (cause) => ErrorMapping.toReply(cause, headers)),
        Effect.sync(lease.release)
      )
  )

  return (request) => {
    const { deadline, onExpiry, path, query, route, source } = request
    // Decoded before it is known who asks: the path may hold the credentials.
    const parameters = route.decodeParameters({ path, query, headers: source.headers })
    deadline.begin(() => onExpiry(ErrorMapping.unavailable(NO_HEADERS)))
    return Effect.matchCauseEffect(authenticate({ route, source, path, parameters }), {
      onFailure: (cause) => ErrorMapping.toReply(cause, NO_HEADERS),
      onSuccess: (authenticated) => serve(request, parameters, authenticated, bodies.lease(authenticated.principal))
    })
  }
}
