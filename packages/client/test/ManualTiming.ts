import type { Timing } from "../src/Timing.ts"

interface Sleeper {
  readonly milliseconds: number
  readonly wake: () => void
}

/** Timers that fire only when a test lets them, and times and random numbers that are always the same. */
export class ManualTiming implements Timing {
  readonly #sleepers = new Set<Sleeper>()
  #onSleep = () => {}

  readonly sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const sleeper: Sleeper = {
        milliseconds,
        wake: () => {
          this.#sleepers.delete(sleeper)
          resolve()
        }
      }
      this.#sleepers.add(sleeper)
      signal.addEventListener("abort", sleeper.wake)
      this.#onSleep()
    })

  readonly now = (): number => Date.UTC(2026, 10, 22, 12)

  readonly random = (): number => 0.5

  /** The durations of the present sleeps. */
  get asleep(): ReadonlyArray<number> {
    return Array.from(this.#sleepers, ({ milliseconds }) => milliseconds)
  }

  /** Waits for a sleep of exactly this long, and ends it. */
  readonly pass = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        const sleeper = Array.from(this.#sleepers).find((each) => each.milliseconds === milliseconds)
        if (sleeper === undefined) return
        this.#onSleep = () => {}
        sleeper.wake()
        resolve()
      }
      this.#onSleep = look
      look()
    })
}
