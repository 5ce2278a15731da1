import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { Cause, Effect, Option, Predicate } from "effect"
import { InternalServerError, ServiceUnavailable } from "../../wire/ApiError.ts"
import * as Reply from "./Reply.ts"

/** An error of the API with headers, such as those of a rate limit. */
export interface ErrorWithHeaders {
  readonly _tag: "ErrorWithHeaders"
  readonly error: Reply.ApiError
  readonly headers: Reply.Headers
}

export const withHeaders = (error: Reply.ApiError, headers: Reply.Headers): ErrorWithHeaders => ({
  _tag: "ErrorWithHeaders",
  error,
  headers
})

const isErrorWithHeaders = (failure: unknown): failure is ErrorWithHeaders =>
  Predicate.isTagged(failure, "ErrorWithHeaders")

/**
 * Maps the cause of a failed request to a reply with these headers: an error of the API to itself, a storage error to
 * 503, any other error to 500. Only interruption remains a failure. The log line of a failure has these annotations.
 */
export const toReply = (
  cause: Cause.Cause<unknown>,
  headers: Reply.Headers,
  annotations: Readonly<Record<string, string>>
): Effect.Effect<Reply.Reply> => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (Reply.isApiError(failure)) return Effect.succeed(Reply.ofError(failure, headers))
  if (isErrorWithHeaders(failure)) {
    return Effect.succeed(Reply.ofError(failure.error, { ...headers, ...failure.headers }))
  }
  if (Predicate.isTagged(failure, "StorageError")) {
    return Effect.logWarning("Storage failed").pipe(
      Effect.annotateLogs({ ...annotations, cause: LoggedCause.describeError(failure) }),
      Effect.as(Reply.ofError(new ServiceUnavailable(), headers))
    )
  }
  return Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.logError("Unexpected failure").pipe(
    Effect.annotateLogs({ ...annotations, cause: LoggedCause.describe(cause) }),
    Effect.as(Reply.ofError(new InternalServerError(), headers))
  )
}
