import { Cause, Effect, Option, Predicate } from "effect"
import { InternalServerError, ServiceUnavailable } from "../wire/ApiError.ts"
import * as LoggedCause from "./LoggedCause.ts"
import * as Reply from "./Reply.ts"

/** A request is refused with headers of its own, such as those that tell of a rate limit. */
export interface Refused {
  readonly _tag: "Refused"
  readonly error: Reply.ApiError
  readonly headers: Reply.Headers
}

export const refused = (error: Reply.ApiError, headers: Reply.Headers): Refused => ({ _tag: "Refused", error, headers })

const isRefused = (failure: unknown): failure is Refused => Predicate.isTagged(failure, "Refused")

/** Seconds after which a client may try again when the service was not available. */
const RETRY_AFTER = "5"

/** Storage is out of reach or too slow. */
export const unavailable = (headers: Reply.Headers): Reply.Reply =>
  Reply.ofError(new ServiceUnavailable(), { ...headers, "retry-after": RETRY_AFTER })

const unexpectedFailure = (cause: Cause.Cause<unknown>, headers: Reply.Headers): Effect.Effect<Reply.Reply> =>
  Effect.as(
    Effect.annotateLogs(Effect.logError("Unexpected failure"), { cause: LoggedCause.describe(cause) }),
    Reply.ofError(new InternalServerError(), headers)
  )

/**
 * The reply to a request that failed, with these headers besides: errors of the API as they are, a storage that fails as 503,
 * anything else as 500. Only an interruption stays a failure.
 */
export const toReply = (cause: Cause.Cause<unknown>, headers: Reply.Headers): Effect.Effect<Reply.Reply> => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (Reply.isApiError(failure)) return Effect.succeed(Reply.ofError(failure, headers))
  if (isRefused(failure)) return Effect.succeed(Reply.ofError(failure.error, { ...headers, ...failure.headers }))
  if (Predicate.isTagged(failure, "StorageError")) {
    return Effect.as(
      Effect.annotateLogs(Effect.logWarning("Storage failed"), { cause: LoggedCause.describeError(failure) }),
      unavailable(headers)
    )
  }
  return Cause.isInterruptedOnly(cause) ? Effect.interrupt : unexpectedFailure(cause, headers)
}
