import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { HttpApiSchema } from "@effect/platform"
import { Predicate, type Schema, type Stream } from "effect"
import * as ApiErrors from "../wire/ApiError.ts"

/** The response to a request. */
export interface Reply {
  readonly status: number
  /** Keys are header names in lower case. */
  readonly headers: Headers
  /** Sent at once, or streamed in chunks as the client reads; undefined for no body. */
  readonly body: string | Pieces | undefined
}

/** A body in chunks. The stream may fail. */
export type Pieces = Stream.Stream<string, StorageError>

/** The headers of a reply. Keys are header names in lower case. */
export type Headers = Readonly<Record<string, string>>

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
  headers: { "content-type": contentType, "content-length": String(Buffer.byteLength(body)), ...headers },
  body
})

/** Returns a reply with a JSON body. */
export const json = (status: number, value: unknown, headers: Headers): Reply =>
  text(status, "application/json", JSON.stringify(value), headers)

/** Returns the reply for an error of the API. */
export const ofError = (error: ApiError, headers: Headers): Reply => json(statusOf(error) ?? 500, error, headers)
