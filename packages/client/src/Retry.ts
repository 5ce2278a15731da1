import { ApiError, ConnectionError, type Failure, TimeoutError, UnexpectedResponseError } from "./ClientError.ts"

/** The longest first delay without a word from the server, in milliseconds; each further one is twice as long. */
const FIRST_DELAY = 500

/** What a delay is made longer by, at most, so that callers that were refused together do not come back together. */
const SPREAD = 500

/** Statuses of a server, or of a proxy before it, that may work again soon. */
const TEMPORARY = new Set([502, 503, 504])

const isTemporary = (failure: Failure): boolean =>
  failure instanceof ConnectionError || failure instanceof TimeoutError || TEMPORARY.has(failure.status)

const retryAfterOf = (failure: Failure): number | null =>
  failure instanceof ApiError || failure instanceof UnexpectedResponseError ? failure.retryAfter : null

/** A delay that doubles with each attempt, at random up to its full length. `attempt` is 1 after the first one. */
export const backoff = (attempt: number, maxDelay: number, random: () => number): number =>
  random() * Math.min(maxDelay, FIRST_DELAY * 2 ** Math.min(attempt - 1, 30))

/** The delay before an attempt that the server told to wait: never shorter than what it said. */
export const toldDelay = (failure: Failure, random: () => number): number | null => {
  const seconds = retryAfterOf(failure)
  return seconds === null ? null : seconds * 1000 + random() * SPREAD
}

/** Whether the failure tells that the request was not handled, so that anything may be repeated. */
const isRefused = (failure: Failure): boolean =>
  (failure instanceof ApiError || failure instanceof UnexpectedResponseError) && failure.status === 429

/** What is to be known of a request that failed. */
export interface FailedAttempt {
  readonly failure: Failure
  /** 1 for the first one. */
  readonly attempt: number
  readonly idempotent: boolean
  readonly retries: number
  /** In milliseconds. */
  readonly maxDelay: number
  readonly random: () => number
}

/**
 * The milliseconds after which to repeat a request; null if it must not be repeated. A request that exceeded a rate limit
 * (429) was not handled, so any may be repeated. After all else the request may have been handled: only one that has
 * the same effect when it is repeated is. A delay that the server demands is never shortened: if it is longer than the
 * longest one, the request fails.
 */
export const delayBeforeRetry = (
  { attempt, failure, idempotent, maxDelay, random, retries }: FailedAttempt
): number | null => {
  if (attempt > retries || !(isRefused(failure) || (idempotent && isTemporary(failure)))) return null
  const told = retryAfterOf(failure)
  if (told !== null && told * 1000 > maxDelay) return null
  return toldDelay(failure, random) ?? backoff(attempt, maxDelay, random)
}
