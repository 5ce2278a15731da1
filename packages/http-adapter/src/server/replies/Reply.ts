import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { type Effect, Predicate, type Schema, type Stream } from "effect"
import * as ApiErrors from "../../wire/ApiError.ts"

/** The response to a request. */
export interface Reply {
  readonly status: number
  /** The headers, except those that follow from the body. Keys are in lower case. */
  readonly headers: Headers
  /** Undefined for no body. */
  readonly body: Body | undefined
  /** The error that it reports. The log has its code and its first path. */
  readonly error?: ApiError
}

/** The body of a reply. */
export interface Body {
  readonly contentType: string
  /** Sent at once, as text or as bytes that all replies share, or streamed in chunks as the client reads. */
  readonly content: string | Uint8Array | Pieces
}

/** A body in chunks. */
export interface Pieces {
  readonly chunks: Stream.Stream<string, StorageError>
  /** Completes when the client may no longer read. */
  readonly revoked: Effect.Effect<void, StorageError>
}

/** The headers of a reply. Keys are header names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** No headers besides those that every reply has. */
export const NO_HEADERS: Headers = {}

/** The header of a reply that ends its connection. */
export const CLOSE: Headers = { connection: "close" }

/** Any error body of the API. */
export type ApiError = Schema.Schema.Type<(typeof ApiErrors)[keyof typeof ApiErrors]>

/** The status code of each error class. */
const statuses = new Map<unknown, number>(
  Object.values(ApiErrors).map((error) => [error, HttpApiSchema.getStatusErrorAST(error.ast)])
)

const statusOf = (error: object): number | undefined => statuses.get(error.constructor)

/** Returns whether the value is an error of the API. */
export const isApiError = (error: unknown): error is ApiError =>
  Predicate.isObject(error) && statusOf(error) !== undefined

/** Returns a reply with a text body. */
export const text = (status: number, contentType: string, body: string, headers: Headers): Reply => ({
  status,
  headers,
  body: { contentType, content: body }
})

/** Returns a reply with a JSON body. */
export const json = (status: number, value: unknown, headers: Headers): Reply =>
  text(status, "application/json", JSON.stringify(value), headers)

/** The time after which a client may repeat a request that the server had no capacity for, in seconds. */
export const RETRY_AFTER = 5

const retryAfterOf = (error: ApiError): Headers => {
  if (error instanceof ApiErrors.RateLimited) return { "retry-after": String(error.retry_after) }
  return error instanceof ApiErrors.ServiceUnavailable ? { "retry-after": String(RETRY_AFTER) } : NO_HEADERS
}

/** Returns the reply for an error of the API. */
export const ofError = (error: ApiError, headers: Headers): Reply => ({
  ...json(statusOf(error) ?? 500, error, { ...headers, ...retryAfterOf(error) }),
  error
})

/** Whether a body is sent in chunks. */
export const isInPieces = (content: Body["content"]): content is Pieces =>
  typeof content !== "string" && "chunks" in content
