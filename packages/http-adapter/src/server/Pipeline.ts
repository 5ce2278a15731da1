import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidFormBody } from "../wire/ApiError.ts"
import type { Authenticated, Unauthenticated } from "./Authentication.ts"
import * as Body from "./Body.ts"
import type { Deadline } from "./Deadline.ts"
import * as ErrorMapping from "./ErrorMapping.ts"
import { NO_HEADERS, type Reply } from "./Reply.ts"
import type { PathParameters, Route } from "./Routes.ts"

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

/** Reads and decodes the body, or fails with all of its violations. Returns nothing if the endpoint has no body. */
const readBody = ({ body }: Route, source: IncomingMessage, caller: Authenticated["caller"]) => {
  if (Option.isNone(body)) return Effect.void
  const { contentCheck, decode, formAdvice, limit } = body.value
  return Effect.flatMap(Body.readJson(source, limit, formAdvice), (value) => {
    const decoded = decode(value)
    return Either.isRight(decoded) ? Effect.succeed(decoded.right) : Effect.flatMap(
      contentCheck(value, caller),
      (violations) => Effect.fail(new InvalidFormBody({ errors: [...decoded.left, ...violations] }))
    )
  })
}

/**
 * The path of a request: authenticate and count, decode the parameters, read and decode the body, handle, encode. The
 * first step that fails determines the response, with all violations of that step. The deadline does not count the time
 * in which the body arrives, because that depends on the client.
 */
export const make = (
  authenticate: (request: Unauthenticated) => Effect.Effect<Authenticated, ErrorMapping.ErrorWithHeaders | StorageError>
): Pipeline => {
  const serve = Effect.fnUntraced(
    function*(
      { deadline, onExpiry, route, source }: Request,
      parameters: Unauthenticated["parameters"],
      { caller, headers }: Authenticated
    ) {
      deadline.end()
      if (Either.isLeft(parameters)) return yield* Effect.fail(new InvalidFormBody({ errors: parameters.left }))
      const payload = yield* readBody(route, source, caller)
      deadline.begin(() => onExpiry(ErrorMapping.unavailable(headers)))
      const answer = yield* route.handle({ ...parameters.right, payload, caller })
      deadline.end()
      return route.reply(answer, headers)
    },
    (served, _request, _parameters, { headers }) =>
      Effect.catchAllCause(served, (cause) => ErrorMapping.toReply(cause, headers))
  )

  return (request) => {
    const { deadline, onExpiry, path, query, route, source } = request
    // Decoded before it is known who asks: the path may hold the credentials.
    const parameters = route.decodeParameters({ path, query, headers: source.headers })
    deadline.begin(() => onExpiry(ErrorMapping.unavailable(NO_HEADERS)))
    return Effect.matchCauseEffect(authenticate({ route, source, path, parameters }), {
      onFailure: (cause) => ErrorMapping.toReply(cause, NO_HEADERS),
      onSuccess: (authenticated) => serve(request, parameters, authenticated)
    })
  }
}
