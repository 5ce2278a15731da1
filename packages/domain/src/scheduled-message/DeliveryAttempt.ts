import { Duration } from "effect"

/** The maximum number of attempts to deliver a message (API gaps, Scheduled messages). */
export const MAX_ATTEMPTS = 5

const FIRST_DELAY_MILLIS = 1000

/**
 * Returns the delay after this many failed attempts: exponential from one second, times 0.5 to 1.5 by `jitter` (0 to
 * 1), so that messages that fail together are not retried together. In whole milliseconds, the precision of stored
 * timestamps.
 */
export const retryDelay = (attempts: number, jitter: number): Duration.Duration =>
  Duration.millis(Math.round(FIRST_DELAY_MILLIS * 2 ** (attempts - 1) * (0.5 + jitter)))
