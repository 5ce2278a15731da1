import type { StorageError } from "@community-messaging/domain/StorageError"
import { Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidFormBody } from "../wire/ApiError.ts"
import type { Authenticated, Unauthenticated } from "./Authentication.ts"
import * as Body from "./Body.ts"
import type { WithDeadline } from "./Deadline.ts"
import * as ErrorMapping from "./ErrorMapping.ts"
import type { Reply } from "./Reply.ts"
import type { PathParameters, Route } from "./Routes.ts"

/** Replies to a request whose route is found. When its work takes too long, calls `onExpiry` with the reply that says so. */
export type Pipeline = (
  route: Route,
  path: PathParameters,
  query: string,
  source: IncomingMessage,
  onExpiry: (reply: Reply) => void
) => Effect.Effect<Reply>

/** The body of a request, decoded, or everything that is wrong with it; nothing where the endpoint takes none. */
const readBody = ({ body }: Route, source: IncomingMessage) =>
  Effect.gen(function*() {
    if (Option.isNone(body)) return undefined
    const { contentCheck, decode, formAdvice, limit } = body.value
    const value = yield* Body.readJson(source, limit, formAdvice)
    const decoded = decode(value)
    if (Either.isRight(decoded)) return decoded.right
    return yield* Effect.fail(new InvalidFormBody({ errors: [...decoded.left, ...(yield* contentCheck(value))] }))
  })

/**
 * The way of a request: authenticate and count, decode the parameters, read and decode the body, handle, encode. A request is
 * refused by the first step that finds something wrong, with all that this step finds wrong.
 */
export const make = (
  authenticate: (request: Unauthenticated) => Effect.Effect<Authenticated, ErrorMapping.Refused | StorageError>,
  withDeadline: WithDeadline
): Pipeline =>
(route, path, query, source, onExpiry) =>
  Effect.gen(function*() {
    // Decoded before it is known who asks: the path may hold the credentials.
    const parameters = route.decodeParameters({ path, query, headers: source.headers })
    const { caller, headers } = yield* withDeadline(
      authenticate({ route, source, path, parameters }),
      () => onExpiry(ErrorMapping.unavailable({}))
    )
    return yield* Effect.gen(function*() {
      if (Either.isLeft(parameters)) return yield* Effect.fail(new InvalidFormBody({ errors: parameters.left }))
      const payload = yield* readBody(route, source)
      const answer = yield* withDeadline(
        route.handle({ ...parameters.right, payload, caller }),
        () => onExpiry(ErrorMapping.unavailable(headers))
      )
      return route.reply(answer, headers)
    }).pipe(Effect.catchAllCause((cause) => ErrorMapping.toReply(cause, headers)))
  }).pipe(Effect.catchAllCause((cause) => ErrorMapping.toReply(cause, {})))
