/**
 * How much of a turn of the event loop may pass before further requests wait for the next one, in milliseconds. Requests
 * of one turn share a commit, so that a shorter time makes writes dearer.
 */
export const TURN_MILLIS = 10

/** The same for requests that waited, so that others who come meanwhile wait for less. */
export const WAITING_TURN_MILLIS = 5

/**
 * How many connections are accepted between two turns that begin requests which waited. Node accepts one in each turn, so
 * that a new client would wait for as many turns as there are connections before its own.
 */
export const ACCEPTED_BETWEEN = 32

/** The turns of an event loop, and a clock in milliseconds. */
export interface EventLoop {
  /** Runs work in the next turn of the event loop. */
  readonly nextTurn: (work: () => void) => void
  /** Runs work in this turn, after all promises that are settled by then, and what follows from them. */
  readonly afterPromises: (work: () => void) => void
  readonly now: () => number
}

const NODE: EventLoop = {
  nextTurn: setImmediate,
  // Node runs what is put off from within a promise when no promise is left.
  afterPromises: (work) => queueMicrotask(() => process.nextTick(work)),
  now: () => performance.now()
}

/**
 * Shares the event loop among requests that arrive at once: Node reports up to a thousand in one turn. Those for which a
 * turn has no time wait. Each following turn begins one of every address, and then more as long as it has time. So an
 * address that sends many requests delays its own, and hardly those of others. The same holds for its connections.
 */
export class RequestTurns {
  readonly #eventLoop: EventLoop
  /** By address, in the order in which they came. */
  readonly #waiting = new Map<string, Array<() => void>>()
  /** When the first request of this turn began; undefined if none has. */
  #beganAt: number | undefined
  #hasAccepted = false
  /** Accepted since requests which waited began. */
  #accepted = 0

  constructor(eventLoop: EventLoop = NODE) {
    this.#eventLoop = eventLoop
  }

  /** Begins a request now or in a later turn. Returns whether it has begun. */
  begin(address: string, request: () => void): boolean {
    const waiting = this.#waiting.get(address)
    if (waiting === undefined && this.#hasTime(TURN_MILLIS)) {
      request()
      return true
    }
    if (waiting === undefined) this.#waiting.set(address, [request])
    else waiting.push(request)
    return false
  }

  /** Node accepted a connection in this turn. */
  accept(): void {
    this.#hasAccepted = true
  }

  #hasTime(millis: number): boolean {
    if (this.#beganAt !== undefined) return this.#eventLoop.now() - this.#beganAt < millis
    this.#startTurn()
    return true
  }

  #startTurn(): void {
    this.#beganAt = this.#eventLoop.now()
    this.#eventLoop.nextTurn(() => this.#endTurn())
  }

  #endTurn(): void {
    const mayAccept = this.#hasAccepted && this.#accepted < ACCEPTED_BETWEEN
    this.#hasAccepted = false
    if (mayAccept && this.#waiting.size > 0) {
      this.#accepted += 1
      this.#eventLoop.nextTurn(() => this.#endTurn())
      return
    }
    this.#accepted = 0
    this.#beganAt = undefined
    if (this.#waiting.size === 0) return
    this.#startTurn()
    this.#beginMore()
  }

  /** Most of the work on a request may follow in promises: they take time of the turn, too. */
  #beginMore(): void {
    this.#beginOneOfEach()
    this.#eventLoop.afterPromises(() => {
      if (this.#waiting.size > 0 && this.#hasTime(WAITING_TURN_MILLIS)) this.#beginMore()
    })
  }

  #beginOneOfEach(): void {
    for (const [address, requests] of this.#waiting) {
      const request = requests.shift()
      if (requests.length === 0) this.#waiting.delete(address)
      request?.()
    }
  }
}
