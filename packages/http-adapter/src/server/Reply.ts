import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { HttpApiSchema } from "@effect/platform"
import { Predicate, type Schema, type Stream } from "effect"
import * as ApiErrors from "../wire/ApiError.ts"

/** The response to a request. */
export interface Reply {
  readonly status: number
  /** The headers, except those that follow from the body. Keys are in lower case. */
  readonly headers: Headers
  /** Undefined for no body. */
  readonly body: Body | undefined
}

/** The body of a reply. */
export interface Body {
  readonly contentType: string
  /** Sent at once, or streamed in chunks as the client reads. */
  readonly content: string | Pieces
}

/** A body in chunks. The stream may fail. */
export type Pieces = Stream.Stream<string, StorageError>

/** The headers of a reply. Keys are header names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** No headers besides those that every reply has. */
export const NO_HEADERS: Headers = {}

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

/** Returns the reply for an error of the API. */
export const ofError = (error: ApiError, headers: Headers): Reply => json(statusOf(error) ?? 500, error, headers)

/**
 * Returns names and values of all headers alternately, as `writeHead` accepts them. A new object per reply, with
 * varying keys, would take longer than writing the headers. Responses are not cacheable by default.
 */
export const rawHeaders = ({ body, headers }: Reply): Array<string> => {
  const raw: Array<string> = []
  if (headers["cache-control"] === undefined) raw.push("cache-control", "no-store")
  if (body !== undefined) {
    raw.push("content-type", body.contentType)
    if (typeof body.content === "string") raw.push("content-length", String(Buffer.byteLength(body.content)))
  }
  for (const name of Object.keys(headers)) raw.push(name, headers[name] ?? "")
  return raw
}
