import { onAbort } from "./AbortListener.ts"

/** The timers, the clock and the random numbers of a client. Tests replace them. */
export interface Timing {
  /** Resolves after that many milliseconds, or as soon as the signal is aborted. Never rejects. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** The time of the clock, in Unix milliseconds. */
  readonly now: () => number
  /** A random number: at least 0, less than 1. */
  readonly random: () => number
}

/** The longest time of a timer in browsers and Node, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The timers, the clock and the random numbers of the platform. */
export const systemTiming: Timing = {
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      const timer = setTimeout(end, Math.min(milliseconds, LONGEST_TIMER))
      const forget = onAbort(signal, end)
    }),
  // oxlint-disable-next-line no-restricted-properties -- The client does not use Effect.
  now: () => Date.now(),
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}
