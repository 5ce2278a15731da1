import type { Failure } from "./ClientError.ts"
import type { Settings } from "./ClientOptions.ts"
import type { Exchange } from "./Exchange.ts"

/** The longest first delay if the server sends none, in milliseconds; each further one is twice as long. */
const FIRST_DELAY = 500

/** The most that is added to a delay, so that callers that were refused together do not retry together. */
const SPREAD = 500

/** Statuses of temporary failures of a server, or of a proxy before it. */
const TEMPORARY = new Set([502, 503, 504])

const isTemporary = (failure: Failure): boolean => !("status" in failure) || TEMPORARY.has(failure.status)

/** A delay that doubles with each attempt, at random up to its full length. `attempt` is 1 after the first one. */
const backoff = (attempt: number, maxDelay: number, random: () => number): number =>
  random() * Math.min(maxDelay, FIRST_DELAY * 2 ** Math.min(attempt - 1, 30))

/**
 * The milliseconds until the next attempt: those that the server requires, with a random addition, or else a backoff. A
 * delay that the server requires is never shortened: null if it is longer than `maxRequired`.
 */
export const delayAfter = (
  { maxRetryDelay, timing: { random } }: Settings,
  failure: Failure,
  attempt: number,
  maxRequired: number = maxRetryDelay
): number | null => {
  const seconds = "retryAfter" in failure ? failure.retryAfter : null
  if (seconds === null) return backoff(attempt, maxRetryDelay, random)
  return seconds * 1000 > maxRequired ? null : seconds * 1000 + random() * SPREAD
}

/**
 * The milliseconds after which to repeat a request; null if it must not be repeated. A request that exceeded a rate
 * limit (429) was not handled, so any may be repeated. After other failures, the request may have been handled, so only
 * an idempotent one is repeated.
 */
export const delayBeforeRetry = (
  { operation, options, settings }: Exchange,
  failure: Failure,
  attempt: number
): number | null => {
  const { idempotent = operation.idempotent, retries = settings.retries } = options
  const isRefused = "status" in failure && failure.status === 429
  if (attempt > retries || !(isRefused || (idempotent && isTemporary(failure)))) return null
  return delayAfter(settings, failure, attempt)
}
