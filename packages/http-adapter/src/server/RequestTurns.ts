/**
 * How much of a turn of the event loop may pass before further requests wait for the next one, in milliseconds. Requests
 * of one turn share a commit, so that a shorter time makes writes dearer.
 */
export const TURN_MILLIS = 10

/** The turns of an event loop, and a clock in milliseconds. */
export interface EventLoop {
  /** Runs work in the next turn of the event loop. */
  readonly nextTurn: (work: () => void) => void
  readonly now: () => number
}

const NODE: EventLoop = { nextTurn: setImmediate, now: () => performance.now() }

/**
 * Shares the event loop among requests that arrive at once: Node reports up to a thousand in one turn. Those for which a
 * turn has no time wait. Each following turn begins one of every address, and then more as long as it has time. So an
 * address that sends many requests delays its own, and hardly those of others.
 */
export class RequestTurns {
  readonly #eventLoop: EventLoop
  /** By address, in the order in which they came. */
  readonly #waiting = new Map<string, Array<() => void>>()
  /** When the first request of this turn began; undefined if none has. */
  #beganAt: number | undefined

  constructor(eventLoop: EventLoop = NODE) {
    this.#eventLoop = eventLoop
  }

  /** Begins a request now or in a later turn. */
  begin(address: string, request: () => void): void {
    const waiting = this.#waiting.get(address)
    if (waiting !== undefined) waiting.push(request)
    else if (this.#hasTime()) request()
    else this.#waiting.set(address, [request])
  }

  #hasTime(): boolean {
    if (this.#beganAt !== undefined) return this.#eventLoop.now() - this.#beganAt < TURN_MILLIS
    this.#startTurn()
    return true
  }

  #startTurn(): void {
    this.#beganAt = this.#eventLoop.now()
    this.#eventLoop.nextTurn(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#beganAt = undefined
    if (this.#waiting.size === 0) return
    this.#startTurn()
    do this.#beginOneOfEach()
    while (this.#waiting.size > 0 && this.#hasTime())
  }

  #beginOneOfEach(): void {
    for (const [address, requests] of this.#waiting) {
      const request = requests.shift()
      if (requests.length === 0) this.#waiting.delete(address)
      request?.()
    }
  }
}
