import { Duration } from "effect"

/** The most attempts at delivering a message (API gaps, Scheduled messages). */
export const MAX_ATTEMPTS = 5

const FIRST_DELAY_MILLIS = 1000

/**
 * How long to wait after that many failed attempts: exponential from one second, times 0.5 to 1.5 by `jitter` (0 to 1),
 * so that many failures of one moment do not come back at one moment. Whole milliseconds, as all moments are kept in.
 */
export const retryDelay = (attempts: number, jitter: number): Duration.Duration =>
  Duration.millis(Math.round(FIRST_DELAY_MILLIS * 2 ** Math.max(0, attempts - 1) * (0.5 + jitter)))
