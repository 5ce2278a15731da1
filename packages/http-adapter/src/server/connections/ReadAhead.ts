/** The requests behind others that are read in one turn of the event loop: a few milliseconds of work. */
export const REQUESTS_PER_TURN = 100

/** The reading side of a connection. */
export interface Readable {
  /** Reads nothing until `release`. */
  readonly hold: () => void
  readonly release: () => void
}

/**
 * Shares the event loop among connections that send many requests at once. Node reads up to 64 KiB of each in one turn,
 * hundreds of requests, and cannot read less. So a turn that has read too many reads from no more connections.
 */
export class ReadAhead {
  readonly #connections: Iterable<Readable>
  #count = 0
  #held: ReadonlyArray<Readable> = []

  constructor(connections: Iterable<Readable>) {
    this.#connections = connections
  }

  /** Counts a request that was read but cannot begin: the previous one is in progress, or its connection is closed. */
  count(): void {
    this.#count += 1
    if (this.#count === 1) setImmediate(() => this.#endTurn())
    if (this.#count !== REQUESTS_PER_TURN) return
    this.#held = Array.from(this.#connections)
    for (const connection of this.#held) connection.hold()
  }

  #endTurn(): void {
    const held = this.#held
    this.#count = 0
    this.#held = []
    for (const connection of held) connection.release()
  }
}
