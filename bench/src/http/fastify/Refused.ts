import type { StorageError } from "@community-messaging/domain/StorageError"
import * as ApiError from "@community-messaging/http-adapter/wire/ApiError"
import { Data, Effect } from "effect"

/** The status of each error body. */
const STATUS = {
  ACCESS_DENIED: 403,
  ACCOUNT_SCHEDULED_FOR_DELETION: 403,
  CONFLICT: 409,
  INTERNAL_SERVER_ERROR: 500,
  INVALID_CLIENT: 400,
  INVALID_FORM_BODY: 400,
  INVALID_JSON: 400,
  INVALID_REDIRECT_URI: 400,
  INVALID_SCOPE: 400,
  MISSING_ACL: 403,
  MISSING_PERMISSIONS: 403,
  NOT_A_BOT_APPLICATION: 400,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  UNAUTHORIZED: 401,
  UNKNOWN_GUILD: 404,
  UNKNOWN_USER: 404,
  UNKNOWN_WEBHOOK: 404,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_RESPONSE_TYPE: 400
} as const satisfies Partial<Record<InstanceType<(typeof ApiError)[keyof typeof ApiError]>["code"], number>>

/** An error body, as far as its status goes. */
export interface ErrorBody {
  readonly code: keyof typeof STATUS
  readonly message: string
}

/** A request that is answered with an error. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: (typeof STATUS)[ErrorBody["code"]]
  readonly body: ErrorBody
  readonly headers: Readonly<Record<string, string>>
}> {}

/** The refusal with that body. */
export const refused = (body: ErrorBody, headers: Readonly<Record<string, string>> = {}): Refused =>
  new Refused({ status: STATUS[body.code], body, headers })

/** The effect with every failure as a refusal: storage that fails is told as 503. */
export const refusing = <A, R>(effect: Effect.Effect<A, ErrorBody | StorageError, R>): Effect.Effect<A, Refused, R> =>
  Effect.mapError(effect, (error) => refused("operation" in error ? new ApiError.ServiceUnavailable() : error))
