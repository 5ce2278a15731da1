/** The number of bytes of large bodies that are read in one turn of the event loop: a few milliseconds of work at most. */
export const BYTES_PER_TURN = 64 * 1024

/**
 * Shares the event loop among large bodies. Pieces for which a turn has no room are read in the next turns, in the order in
 * which they came, so that other requests are not delayed, however many large bodies there are.
 */
export class BodyTurns {
  readonly #nextTurn: (work: () => void) => void
  #waiting: Array<() => void> = []
  #left = BYTES_PER_TURN
  #isScheduled = false

  /** `nextTurn` runs work in the next turn of the event loop. */
  constructor(nextTurn: (work: () => void) => void) {
    this.#nextTurn = nextTurn
  }

  /** Does work on so many bytes, now or in a later turn. Returns whether it is done. */
  run(bytes: number, work: () => void): boolean {
    if (!this.#isScheduled) {
      this.#isScheduled = true
      this.#nextTurn(() => this.#begin())
    }
    if (this.#left > 0) {
      this.#left -= bytes
      work()
      return true
    }
    this.#waiting.push(() => this.run(bytes, work))
    return false
  }

  #begin(): void {
    this.#isScheduled = false
    this.#left = BYTES_PER_TURN
    const waiting = this.#waiting
    this.#waiting = []
    // Work without room in this turn waits again, in the same order.
    for (const run of waiting) run()
  }
}
