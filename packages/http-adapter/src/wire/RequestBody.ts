import { WHOLE } from "@community-messaging/json-reader/Excerpt"
import { Context, Schema } from "effect"
import {
  InvalidFormBody,
  InvalidJson,
  PayloadTooLarge,
  RateLimited,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType
} from "./ApiError.ts"

/** In bytes. */
export const KIBIBYTE = 1024

/** In bytes. */
export const MEBIBYTE = 1024 * KIBIBYTE

/** Annotation of an endpoint: the maximum size of its body in bytes (API gaps, Errors). */
export class BodyLimit extends Context.Tag("@community-messaging/http-adapter/BodyLimit")<BodyLimit, number>() {}

/** Annotation of an endpoint that needs only the beginning of long strings and arrays. By default, they are kept whole. */
export class BodyExcerpt extends Context.Reference<BodyExcerpt>()("@community-messaging/http-adapter/BodyExcerpt", {
  defaultValue: () => WHOLE
}) {}

/** Annotation of an endpoint: the error message for a body that is sent as a form. */
export class FormAdvice extends Context.Tag("@community-messaging/http-adapter/FormAdvice")<FormAdvice, string>() {}

/**
 * The errors of a body. The body is read after the credentials are checked, and all violations are reported at once.
 */
export const InvalidBody = Schema.Union(
  InvalidFormBody,
  InvalidJson,
  PayloadTooLarge,
  RateLimited,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType
)
