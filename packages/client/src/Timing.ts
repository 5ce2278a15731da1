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

/** The limits of a piece of work. */
export interface Limit {
  readonly timing: Timing
  readonly milliseconds: number
  /** The error if the work takes too long. */
  readonly onTimeout: () => Error
  /** Ends the work from outside. */
  readonly signal: AbortSignal | undefined
}

/**
 * Does the work within a time. When the time is over or the signal is aborted, aborts the work's own signal and fails with
 * the timeout or the reason of the signal, without waiting for the work.
 */
export const within = async <A>(
  { milliseconds, onTimeout, signal, timing }: Limit,
  work: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  signal?.throwIfAborted()
  const own = new AbortController()
  const timer = new AbortController()
  const forgetSignal = signal && onAbort(signal, () => own.abort(signal.reason))
  const expire = async () => {
    await timing.sleep(milliseconds, timer.signal)
    if (!timer.signal.aborted) own.abort(onTimeout())
  }
  void expire()
  const stopped = new Promise<never>((_, reject) => {
    own.signal.addEventListener("abort", () => reject(own.signal.reason))
  })
  try {
    return await Promise.race([work(own.signal), stopped])
  } catch (error) {
    if (own.signal.aborted) throw own.signal.reason
    throw error
  } finally {
    timer.abort()
    forgetSignal?.()
  }
}
