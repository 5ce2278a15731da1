import type { Excerpt } from "@community-messaging/json-reader/Excerpt"
import { Context } from "effect"
import type { RateLimitBucket } from "./RateLimitBucket.ts"

/** Annotation of an endpoint: the rules for its requests. */
export class RequestRules extends Context.Tag("@community-messaging/http-adapter/RequestRules")<RequestRules, {
  /** The bucket that counts them, in addition to `global`. */
  readonly bucket: RateLimitBucket
  /** The maximum size of the body in bytes (API gaps, Errors). Absent if there is no body. */
  readonly bodyLimit?: number
  /** The part of long strings and arrays of the body that is needed. By default, they are kept whole. */
  readonly excerpt?: Excerpt
  /** The error message for a body that is sent as a form. */
  readonly formAdvice?: string
  /**
   * Whether a request has the same effect when it is repeated, so that a client without a response may repeat it. A GET has,
   * others by default do not.
   */
  readonly isIdempotent?: boolean
}>() {}
