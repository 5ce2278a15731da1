import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidFormBody } from "../wire/ApiError.ts"
import type { Authenticated, Unauthenticated } from "./Authentication.ts"
import * as Body from "./Body.ts"
import type { WithDeadline } from "./Deadline.ts"
import * as ErrorMapping from "./ErrorMapping.ts"
import type { Headers, Reply } from "./Reply.ts"
import type { PathParameters, Route } from "./Routes.ts"

type OnExpiry = (reply: Reply) => void

const NO_HEADERS: Headers = {}

/** Replies to a request whose route is found. When its work takes too long, calls `onExpiry` with the reply that says so. */
export type Pipeline = (
  route: Route,
  path: PathParameters,
  query: string,
  source: IncomingMessage,
  onExpiry: OnExpiry
) => Effect.Effect<Reply>

/** The body of a request, decoded, or everything that is wrong with it; nothing where the endpoint takes none. */
const readBody = ({ body }: Route, source: IncomingMessage) => {
  if (Option.isNone(body)) return Effect.void
  const { contentCheck, decode, formAdvice, limit } = body.value
  return Effect.flatMap(Body.readJson(source, limit, formAdvice), (value) => {
    const decoded = decode(value)
    return Either.isRight(decoded) ? Effect.succeed(decoded.right) : Effect.flatMap(
      contentCheck(value),
      (violations) => Effect.fail(new InvalidFormBody({ errors: [...decoded.left, ...violations] }))
    )
  })
}

/** A request whose caller is known and counted. */
interface Admitted {
  readonly route: Route
  readonly parameters: Unauthenticated["parameters"]
  readonly source: IncomingMessage
  readonly authenticated: Authenticated
}

/**
 * The way of a request: authenticate and count, decode the parameters, read and decode the body, handle, encode. A request is
 * refused by the first step that finds something wrong, with all that this step finds wrong.
 */
export const make = (
  authenticate: (request: Unauthenticated) => Effect.Effect<Authenticated, ErrorMapping.Refused | StorageError>,
  withDeadline: WithDeadline
): Pipeline => {
  const serve = Effect.fnUntraced(
    function*({ authenticated: { caller, headers }, parameters, route, source }: Admitted, onExpiry: OnExpiry) {
      if (Either.isLeft(parameters)) return yield* Effect.fail(new InvalidFormBody({ errors: parameters.left }))
      const payload = yield* readBody(route, source)
      const input = { ...parameters.right, payload, caller }
      const answer = yield* withDeadline(route.handle(input), () => onExpiry(ErrorMapping.unavailable(headers)))
      return route.reply(answer, headers)
    },
    (served, { authenticated: { headers } }) =>
      Effect.catchAllCause(served, (cause) => ErrorMapping.toReply(cause, headers))
  )

  return (route, path, query, source, onExpiry) => {
    // Decoded before it is known who asks: the path may hold the credentials.
    const parameters = route.decodeParameters({ path, query, headers: source.headers })
    const expire = () => onExpiry(ErrorMapping.unavailable(NO_HEADERS))
    return Effect.matchCauseEffect(withDeadline(authenticate({ route, source, path, parameters }), expire), {
      onFailure: (cause) => ErrorMapping.toReply(cause, NO_HEADERS),
      onSuccess: (authenticated) => serve({ route, parameters, source, authenticated }, onExpiry)
    })
  }
}
