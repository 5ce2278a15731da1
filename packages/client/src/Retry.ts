import { ApiError, ConnectionError, type Failure, TimeoutError, UnexpectedResponseError } from "./ClientError.ts"

/** The longest first delay if the server sends none, in milliseconds; each further one is twice as long. */
const FIRST_DELAY = 500

/** The most that is added to a delay, so that callers that were refused together do not retry together. */
const SPREAD = 500

/** Statuses of temporary failures of a server, or of a proxy before it. */
const TEMPORARY = new Set([502, 503, 504])

const isTemporary = (failure: Failure): boolean =>
  failure instanceof ConnectionError || failure instanceof TimeoutError || TEMPORARY.has(failure.status)

const retryAfterOf = (failure: Failure): number | null =>
  failure instanceof ApiError || failure instanceof UnexpectedResponseError ? failure.retryAfter : null

/** A delay that doubles with each attempt, at random up to its full length. `attempt` is 1 after the first one. */
const backoff = (attempt: number, maxDelay: number, random: () => number): number =>
  random() * Math.min(maxDelay, FIRST_DELAY * 2 ** Math.min(attempt - 1, 30))

/**
 * The milliseconds until the next attempt: those that the server requires, with a random addition, or else a backoff. A
 * delay that the server requires is never shortened: null if it is longer than `maxRequired`.
 */
export const delayAfter = (
  { attempt, failure, maxDelay, random }: Pick<FailedAttempt, "attempt" | "failure" | "maxDelay" | "random">,
  maxRequired: number
): number | null => {
  const seconds = retryAfterOf(failure)
  if (seconds === null) return backoff(attempt, maxDelay, random)
  return seconds * 1000 > maxRequired ? null : seconds * 1000 + random() * SPREAD
}

/** Whether the failure means that the request was not handled, so that any request may be repeated. */
const isRefused = (failure: Failure): boolean =>
  (failure instanceof ApiError || failure instanceof UnexpectedResponseError) && failure.status === 429

/** The facts about a failed request that decide about a retry. */
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
 * The milliseconds after which to repeat a request; null if it must not be repeated. A request that exceeded a rate
 * limit (429) was not handled, so any may be repeated. After other failures, the request may have been handled, so only
 * an idempotent one is repeated.
 */
export const delayBeforeRetry = (failed: FailedAttempt): number | null => {
  const { attempt, failure, idempotent, retries } = failed
  if (attempt > retries || !(isRefused(failure) || (idempotent && isTemporary(failure)))) return null
  return delayAfter(failed, failed.maxDelay)
}
