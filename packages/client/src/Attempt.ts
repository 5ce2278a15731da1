import type { Failure } from "./ClientError.ts"

/** The state of a rate limit, as a response reports it (API reference, Rate limits). */
export interface RateLimit {
  /** The name of the limit, such as `member-search` (API reference, Rate limits). */
  readonly bucket: string
  /** The number of requests that the bucket allows. */
  readonly limit: number
  /** The number of requests that remain in the bucket. */
  readonly remaining: number
  /** Seconds until the full quota is available again. */
  readonly resetAfter: number
}

/** An attempt to send a request, as `onAttempt` gets it. */
export interface Attempt {
  /** The operation, such as `webhooks.update`. */
  readonly operation: string
  /** 1 for the first attempt of a call. */
  readonly number: number
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** Identifies the request in the log of the server; null if the response does not have it. */
  readonly requestId: string | null
  /** Null if the response does not report it. */
  readonly rateLimit: RateLimit | null
  /** Null after a success. */
  readonly failure: Failure | null
  /** The milliseconds until the next attempt; null if there is none. */
  readonly retryIn: number | null
}

/** Returns the number in a header; null if there is none. */
export const numberIn = (headers: Headers, name: string): number | null => {
  const text = headers.get(name)
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

/** Reads the headers of a rate limit. */
export const rateLimitOf = (headers: Headers): RateLimit | null => {
  const bucket = headers.get("x-ratelimit-bucket")
  const limit = numberIn(headers, "x-ratelimit-limit")
  const remaining = numberIn(headers, "x-ratelimit-remaining")
  const resetAfter = numberIn(headers, "x-ratelimit-reset-after")
  return bucket === null || limit === null || remaining === null || resetAfter === null
    ? null
    : { bucket, limit, remaining, resetAfter }
}
