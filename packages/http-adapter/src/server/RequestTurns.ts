/**
 * How much of a turn of the event loop may pass before further requests wait for the next one, in milliseconds. Requests
 * of one turn share a commit, so that a shorter time makes writes dearer.
 */
export const TURN_MILLIS = 10

/** The same for requests that waited, if there are other callers who may come meanwhile. */
export const WAITING_TURN_MILLIS = 5

/** How long after a request of another address a caller is not taken to be alone, in milliseconds. */
export const COMPANY_MILLIS = 1_000

/**
 * How long connections are accepted between two turns that begin requests which waited, in milliseconds. Node accepts one
 * in each turn, so that a new client would wait for as many such turns as there are connections before its own.
 */
export const ACCEPT_MILLIS = 3

/** The turns of an event loop, and a clock in milliseconds. */
export interface EventLoop {
  /** Runs work when the sockets were polled once: in this turn of the event loop if they are being polled, else in the next. */
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

/** The requests of an address that wait, and how long the address has occupied turns since some of its requests wait. */
interface Queue {
  readonly requests: Array<() => void>
  occupied: number
}

const isBefore = (self: Queue, that: Queue): boolean =>
  self.occupied < that.occupied ||
  (self.occupied === that.occupied && self.requests.length < that.requests.length)

/**
 * Shares the event loop among requests that arrive at once: Node reports up to a thousand in one turn. Those for which a
 * turn has no time wait. Each following turn begins one or more, always of the address that has occupied turns for the
 * shortest time (start-time fair queuing). So an address that sends many requests, or costly ones, delays its own, and
 * hardly those of others.
 */
export class RequestTurns {
  readonly #eventLoop: EventLoop
  /** By address, in the order in which they came. */
  readonly #waiting = new Map<string, Queue>()
  /** When the first request of this turn began; undefined if none has. */
  #beganAt: number | undefined
  #hasAccepted = false
  /** Whether the sockets are being polled since the first request of this turn began. */
  #isPolling = false
  #lastAddress = ""
  /** When a request came from another address than the one before it. */
  #inCompanySince = Number.NEGATIVE_INFINITY
  /** When the requests that wait began to leave turns to others; undefined if they do not. */
  #leavesSince: number | undefined

  constructor(eventLoop: EventLoop = NODE) {
    this.#eventLoop = eventLoop
  }

  /** Begins a request now or in a later turn. Returns whether it has begun. */
  begin(address: string, request: () => void): boolean {
    if (address !== this.#lastAddress) {
      if (this.#lastAddress !== "") this.#inCompanySince = this.#eventLoop.now()
      this.#lastAddress = address
    }
    const waiting = this.#waiting.get(address)
    if (waiting === undefined && this.#hasTime(TURN_MILLIS)) {
      request()
      return true
    }
    // Whoever did not wait before has no advantage over those who do.
    if (waiting === undefined) {
      this.#waiting.set(address, { requests: [request], occupied: this.#first()?.[1].occupied ?? 0 })
    } else waiting.requests.push(request)
    return false
  }

  /** Node accepted a connection in this turn. */
  accept(): void {
    this.#hasAccepted = true
  }

  #hasTime(millis: number): boolean {
    if (this.#beganAt !== undefined) return this.#eventLoop.now() - this.#beganAt < millis
    this.#startTurn()
    this.#isPolling = true
    return true
  }

  /** One caller alone is served as much in a turn as it has time for: nobody else waits. */
  #isAlone(): boolean {
    return this.#eventLoop.now() - this.#inCompanySince >= COMPANY_MILLIS
  }

  #startTurn(): void {
    this.#beganAt = this.#eventLoop.now()
    this.#eventLoop.nextTurn(() => this.#endTurn())
  }

  #endTurn(): void {
    if (this.#waiting.size > 0 && this.#leavesTurn()) {
      this.#eventLoop.nextTurn(() => this.#endTurn())
      return
    }
    this.#isPolling = false
    this.#leavesSince = undefined
    this.#beganAt = undefined
    if (this.#waiting.size === 0) return
    this.#startTurn()
    this.#beginMore()
  }

  /**
   * Whether the requests that wait leave this turn to others: it began some already and there are other callers, or the last
   * one accepted a connection, so that there may be more.
   */
  #leavesTurn(): boolean {
    const leaves = (this.#isPolling && !this.#isAlone()) || this.#hasAccepted
    this.#isPolling = false
    this.#hasAccepted = false
    if (!leaves) return false
    const now = this.#eventLoop.now()
    this.#leavesSince ??= now
    return now - this.#leavesSince < ACCEPT_MILLIS
  }

  /** Most of the work on a request may follow in promises: they take time of the turn, too. */
  #beginMore(): void {
    const [address, queue] = this.#first() ?? []
    if (address === undefined || queue === undefined) return
    const beganAt = this.#eventLoop.now()
    const request = queue.requests.shift()
    if (queue.requests.length === 0) this.#waiting.delete(address)
    request?.()
    this.#eventLoop.afterPromises(() => {
      queue.occupied += this.#eventLoop.now() - beganAt
      const millis = this.#isAlone() ? TURN_MILLIS : WAITING_TURN_MILLIS
      if (this.#waiting.size > 0 && this.#hasTime(millis)) this.#beginMore()
    })
  }

  /**
   * The address that has occupied turns for the shortest time; of several, the one with the fewest requests, and then the one
   * that waits longest.
   */
  #first(): readonly [string, Queue] | undefined {
    let first: readonly [string, Queue] | undefined
    for (const entry of this.#waiting) {
      if (first === undefined || isBefore(entry[1], first[1])) first = entry
    }
    return first
  }
}
