/**
 * How much of a turn of the event loop may pass before further requests wait for the next one, in milliseconds. Requests
 * of one turn share a commit, so a shorter time makes writes more expensive.
 */
export const TURN_MILLIS = 10

/**
 * How long requests that waited may begin in one turn of the event loop, in milliseconds. Requests that arrive in the
 * meantime are read only after it.
 */
export const BACKLOG_MILLIS = 4

/** The turns of an event loop, and a clock in milliseconds. */
export interface EventLoop {
  /** Runs work in the next turn of the event loop. */
  readonly nextTurn: (work: () => void) => void
  /** Runs work in this turn, after work that was deferred to the end of the present step, such as the sending of replies. */
  readonly nextStep: (work: () => void) => void
  readonly now: () => number
}

const NODE: EventLoop = {
  nextTurn: setImmediate,
  // Ticks come before microtasks, and microtasks before the ticks that they add.
  nextStep: (work) => process.nextTick(queueMicrotask, work),
  now: () => performance.now()
}

/**
 * Shares the event loop among requests that arrive at once: Node reports up to a thousand in one turn. Those for which a
 * turn has no time wait. Each following turn begins one request of every address, and then more until its time is over.
 * So an address that sends many requests delays its own requests, and hardly those of others.
 */
export class RequestTurns {
  readonly #eventLoop: EventLoop
  /** By address, in the order of their arrival. */
  readonly #waiting = new Map<string, Array<() => void>>()
  /** The time until which requests begin in this turn; undefined if none has begun. */
  #endsAt: number | undefined

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
    if (this.#endsAt !== undefined) return this.#eventLoop.now() < this.#endsAt
    this.#startTurn(TURN_MILLIS)
    return true
  }

  #startTurn(millis: number): void {
    this.#endsAt = this.#eventLoop.now() + millis
    this.#eventLoop.nextTurn(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#endsAt = undefined
    if (this.#waiting.size === 0) return
    this.#startTurn(BACKLOG_MILLIS)
    this.#beginWaiting()
  }

  /** Begun requests are answered before the next ones begin, so that a reply does not wait for the end of the turn. */
  #beginWaiting(): void {
    this.#beginOneOfEach()
    if (this.#waiting.size > 0 && this.#hasTime()) this.#eventLoop.nextStep(() => this.#beginWaiting())
  }

  #beginOneOfEach(): void {
    for (const [address, requests] of this.#waiting) {
      const request = requests.shift()
      if (requests.length === 0) this.#waiting.delete(address)
      request?.()
    }
  }
}
