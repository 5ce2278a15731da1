import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { ErrorWithHeaders } from "@community-messaging/http-adapter/server/replies/ErrorMapping"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { ServiceUnavailable } from "@community-messaging/http-adapter/wire/ApiError"
import { Effect } from "effect"

/** The response to a refused request. */
export type Refused = Reply.Reply

/** The refusal for an error. */
export const refused = (error: Reply.ApiError, headers: Reply.Headers = {}): Refused => Reply.ofError(error, headers)

/** The effect with every failure as a refusal; a failure of the storage becomes 503. */
export const refusing = <A, R>(
  effect: Effect.Effect<A, Reply.ApiError | ErrorWithHeaders | StorageError, R>
): Effect.Effect<A, Refused, R> =>
  Effect.mapError(effect, (error) => {
    if (error instanceof StorageError) return refused(new ServiceUnavailable())
    return Reply.isApiError(error) ? refused(error) : refused(error.error, error.headers)
  })
