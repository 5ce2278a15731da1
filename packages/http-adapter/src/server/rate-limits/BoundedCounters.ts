/** The maximum number of counters. */
export const MAX_COUNTERS = 100_000

/** The state of a counter: its count, and when it expires, in milliseconds of the clock that counts. */
export interface Counter {
  readonly count: number
  readonly expiresAt: number
}

/**
 * Counters in memory that expire, at most `MAX_COUNTERS` of them. If there is no room, a new counter replaces expired ones,
 * or else the least recently used one.
 */
export class BoundedCounters {
  // Ordered by last use, oldest first.
  readonly #counters = new Map<string, Counter>()

  /** Returns the counter of the key, or an empty one. */
  find(key: string, now: number): Counter {
    const found = this.#counters.get(key)
    return found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
  }

  /**
   * Adds the amount to the counter unless that exceeds the limit. Each unit extends the expiry by its share of the window.
   * A counter never lasts longer than its window, even if the clock is set.
   */
  count(
    key: string,
    limit: number,
    windowMillis: number,
    now: number,
    amount = 1
  ): Counter & { readonly isCounted: boolean } {
    const found = this.find(key, now)
    if (found.expiresAt > now + windowMillis) this.#counters.delete(key)
    const { count, expiresAt } = this.find(key, now)
    if (count + amount > limit) return { count, expiresAt, isCounted: false }
    const counter = { count: count + amount, expiresAt: expiresAt + windowMillis / limit * amount, isCounted: true }
    this.#counters.delete(key)
    this.#makeRoom(now)
    this.#counters.set(key, counter)
    return counter
  }

  /** Removes expired counters from the front, and the first counter in any case if there is no room. */
  #makeRoom(now: number) {
    for (const [key, { expiresAt }] of this.#counters) {
      if (expiresAt > now && this.#counters.size < MAX_COUNTERS) return
      this.#counters.delete(key)
    }
  }
}
