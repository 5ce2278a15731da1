/** The most counters that are kept unless told otherwise. */
const MAX_COUNTERS = 100_000

/** What there is of a counter: how much was counted, and when that is forgotten, in Unix milliseconds. */
export interface Counter {
  readonly count: number
  readonly expiresAt: number
}

/**
 * Counters in memory that are forgotten when their time is over, at most `capacity` of them. A new one takes the place of
 * expired ones, else of the one that was counted in least recently.
 */
export class BoundedCounters {
  // In the order in which they were counted in.
  readonly #counters = new Map<string, Counter>()
  readonly #capacity: number

  constructor(capacity: number = MAX_COUNTERS) {
    this.#capacity = capacity
  }

  /** The counter of that key; an empty one where nothing is counted. */
  find(key: string, now: number): Counter {
    const found = this.#counters.get(key)
    return found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
  }

  /** Counts one more, unless the limit is used up; each counted adds its share of the window to the time of the counter. */
  count(key: string, limit: number, windowMillis: number, now: number): Counter & { readonly isCounted: boolean } {
    const { count, expiresAt } = this.find(key, now)
    if (count >= limit) return { count, expiresAt, isCounted: false }
    const counter = { count: count + 1, expiresAt: expiresAt + windowMillis / limit, isCounted: true }
    this.#counters.delete(key)
    this.#makeRoom(now)
    this.#counters.set(key, counter)
    return counter
  }

  /** Removes from the front as long as counters are expired; the first one in any case where room is needed. */
  #makeRoom(now: number) {
    for (const [key, { expiresAt }] of this.#counters) {
      if (expiresAt > now && this.#counters.size < this.#capacity) return
      this.#counters.delete(key)
    }
  }
}
