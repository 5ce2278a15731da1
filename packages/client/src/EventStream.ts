import { onAbort } from "./AbortListener.ts"
import { ConnectionError, type Failure, isFailure } from "./ClientError.ts"
import type { CallOptions, Settings } from "./ClientOptions.ts"
import { Exchange } from "./Exchange.ts"
import type { Operation } from "./Operation.ts"
import type { RequestParts } from "./OutgoingRequest.ts"
import { delayAfter, delayBeforeRetry } from "./Retry.ts"
import { ServerSentEvents } from "./ServerSentEvents.ts"

/** The header with the id of the event after which a stream resumes. */
const RESUME = "last-event-id"

/** The ids of the service, which are safe in a header. */
const EVENT_ID = /^\d{1,16}$/

/** The longest delay that a server can require of a stream that was open, in milliseconds: an hour, as its longest rate limit. */
const MAX_REQUIRED_DELAY = 3_600_000

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The statuses with which a server refuses a stream that it sent before. Others may come from a proxy in front of it. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403])

/** Media types are case-insensitive (RFC 9110, 8.3.1). */
const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\s*(?:;|$)/i.test(headers.get("content-type") ?? "")

/** One stream of events over as many connections as necessary. */
class EventConnections {
  readonly #exchange: Exchange
  /** Ends the stream: the signal of the caller is aborted, or the consumer leaves. */
  readonly #ending = new AbortController()
  #isLeft = false
  #lastId: string | undefined
  /** Whether the stream was open once. */
  #wasOpen = false
  /** Whether the current connection has opened the stream. */
  #isOpen = false
  /** Attempts since the last useful connection. */
  #attempts = 0

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** All events, until the signal is aborted or the consumer leaves. */
  async *events(): AsyncGenerator<unknown, void, undefined> {
    const { signal } = this.#exchange.options
    signal?.throwIfAborted()
    const forget = signal && onAbort(signal, () => this.#ending.abort(signal.reason))
    try {
      yield* this.#connections()
    } catch (error) {
      if (!this.#isLeft) throw error
    } finally {
      forget?.()
    }
  }

  /** Ends the events, also if the consumer waits for the next one. */
  leave(): void {
    this.#isLeft = true
    this.#ending.abort()
  }

  /** The events of all connections: one that ends or falls silent is replaced, and the next continues after the last event. */
  async *#connections(): AsyncGenerator<unknown, never, undefined> {
    for (;;) {
      try {
        yield* this.#connection()
      } catch (error) {
        if (!isFailure(error)) throw error
        // oxlint-disable-next-line no-await-in-loop -- Waits before the next connection.
        await this.#pause(error)
      }
    }
  }

  /** The events of one connection, until it fails or the consumer has enough. */
  async *#connection(): AsyncGenerator<unknown, never, undefined> {
    this.#attempts += 1
    this.#isOpen = false
    const reader = await this.#open()
    this.#isOpen = true
    this.#wasOpen = true
    const close = () => void reader.cancel().catch(() => {})
    // Also while the consumer handles an event.
    const forget = onAbort(this.#ending.signal, close)
    try {
      this.#exchange.report(this.#attempts, null, null)
      return yield* this.#read(reader)
    } finally {
      forget()
      close()
    }
  }

  #open(): Promise<Reader> {
    const more = this.#lastId === undefined ? {} : { [RESUME]: this.#lastId }
    return this.#exchange.attempt(this.#ending.signal, (response) => {
      if (response.body !== null && isEventStream(response)) return response.body.getReader()
      // Its body may not end.
      void response.body?.cancel().catch(() => {})
      throw this.#exchange.unexpected("this is no stream of events")
    }, more)
  }

  async *#read(reader: Reader): AsyncGenerator<unknown, never, undefined> {
    const exchange = this.#exchange
    const { heartbeatTimeout, maxResponseBytes } = exchange.settings
    const decoder = new TextDecoder()
    const tooLong = () => exchange.unexpected("an event is longer than maxResponseBytes")
    const parser = new ServerSentEvents(maxResponseBytes, tooLong)
    for (let piece = 1;; piece += 1) {
      // oxlint-disable-next-line no-await-in-loop -- Pieces come one after another.
      const { done, value } = await exchange.within(heartbeatTimeout, this.#ending.signal, () => reader.read())
      if (done) throw new ConnectionError(exchange.operation.id, "the stream ended")
      const events = parser.push(decoder.decode(value, { stream: true }))
      // The first piece may be only the beginning of the stream: a connection that ends after it was not useful.
      if (piece > 1 || events.length > 0) this.#attempts = 0
      for (const { data, id } of events) {
        // The consumer may have ended the stream while it handled the previous event.
        this.#ending.signal.throwIfAborted()
        this.#resumeAfter(id)
        yield this.#eventOf(data)
      }
      this.#resumeAfter(parser.lastId)
    }
  }

  #resumeAfter(id: string | undefined): void {
    if (id === undefined) return
    if (!EVENT_ID.test(id)) throw this.#exchange.unexpected("the id of an event is no number")
    this.#lastId = id
  }

  #eventOf(data: string): unknown {
    try {
      return JSON.parse(data)
    } catch {
      throw this.#exchange.unexpected("an event is not JSON")
    }
  }

  #isPassing(failure: Failure): boolean {
    return !("status" in failure) || (!this.#isOpen && !REFUSALS.has(failure.status))
  }

  /** Waits before the stream is opened again, or fails with this failure. */
  async #pause(failure: Failure): Promise<void> {
    const retryIn = this.#delayAfter(failure)
    this.#exchange.report(Math.max(this.#attempts, 1), failure, retryIn)
    if (retryIn === null) throw failure
    const { signal } = this.#ending
    await this.#exchange.settings.timing.sleep(retryIn, signal)
    signal.throwIfAborted()
  }

  /**
   * A stream that cannot be opened at first fails like any call, so that a wrong address is noticed. A stream that was
   * open is opened again without a limit, unless the server refuses it permanently, sends an event that cannot be read, or
   * requires a delay of more than an hour.
   */
  #delayAfter(failure: Failure): number | null {
    const { settings } = this.#exchange
    const attempt = Math.max(this.#attempts, 1)
    if (!this.#wasOpen) return delayBeforeRetry(this.#exchange, failure, attempt)
    if (!this.#isPassing(failure)) return null
    return delayAfter(settings, failure, attempt, Math.max(settings.maxRetryDelay, MAX_REQUIRED_DELAY))
  }
}

/** The events of a stream. A generator alone would keep its connection until the next event after its consumer left. */
const iterate = (connections: EventConnections): AsyncIterableIterator<unknown, void, undefined> => {
  const events = connections.events()
  const iterator: AsyncIterableIterator<unknown, void, undefined> = {
    next: () => events.next(),
    return: () => {
      connections.leave()
      return events.return()
    },
    throw: async (error) => {
      connections.leave()
      await events.return()
      throw error
    },
    [Symbol.asyncIterator]: () => iterator
  }
  return iterator
}

/** The events of an operation that returns a stream. Each iteration opens its own stream. */
export const eventStream = (
  settings: Settings,
  operation: Operation,
  parts: RequestParts,
  options: CallOptions
): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => iterate(new EventConnections(new Exchange(settings, operation, parts, options)))
})
