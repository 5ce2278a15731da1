/** The number of bytes that are read in one turn of the event loop. */
export const BYTES_PER_TURN = 64 * 1024

/**
 * How long bytes are read in one turn, in milliseconds. `BYTES_PER_TURN` of JSON take one or two, and thirty until V8 has
 * compiled their reader.
 */
export const MILLIS_PER_TURN = 4

/**
 * Shares the event loop among streams of bytes, such as large bodies of requests. Pieces for which a turn has no room are
 * read in the next turns, in the order of their arrival, so that any number of streams does not delay other work.
 */
export class ByteTurns {
  #waiting: Array<() => void> = []
  #bytesLeft = BYTES_PER_TURN
  #millisLeft = MILLIS_PER_TURN
  #isScheduled = false

  /** Does work on that many bytes, now or in a later turn. Returns whether it is done. */
  run(bytes: number, work: () => void): boolean {
    if (!this.#isScheduled) {
      this.#isScheduled = true
      setImmediate(() => this.#begin())
    }
    if (this.#bytesLeft > 0 && this.#millisLeft > 0) {
      const began = performance.now()
      work()
      this.#bytesLeft -= bytes
      this.#millisLeft -= performance.now() - began
      return true
    }
    this.#waiting.push(() => this.run(bytes, work))
    return false
  }

  #begin(): void {
    this.#isScheduled = false
    this.#bytesLeft = BYTES_PER_TURN
    this.#millisLeft = MILLIS_PER_TURN
    const waiting = this.#waiting
    this.#waiting = []
    // Work without room in this turn waits again, in the same order.
    for (const run of waiting) run()
  }
}
