import { Schema } from "effect"
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
