import { onAbort } from "./AbortListener.ts"
import { ConnectionError, type Failure, isFailure, TimeoutError, UnexpectedResponseError } from "./ClientError.ts"
import { type CallOptions, checkCallOptions, type Settings } from "./ClientOptions.ts"
import { exchange, report } from "./Exchange.ts"
import { isSuccess, readResponse } from "./IncomingResponse.ts"
import type { Operation } from "./Operation.ts"
import { type OutgoingRequest, outgoingRequest, type RequestParts } from "./OutgoingRequest.ts"
import { delayAfter, delayBeforeRetry } from "./Retry.ts"
import { EventTooLong, ServerSentEvents } from "./ServerSentEvents.ts"

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
  readonly #settings: Settings
  readonly #operation: Operation
  readonly #request: OutgoingRequest
  readonly #options: CallOptions
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
  #response: Response | undefined

  constructor(settings: Settings, operation: Operation, parts: RequestParts, options: CallOptions) {
    checkCallOptions(options)
    this.#settings = settings
    this.#operation = operation
    this.#options = options
    this.#request = outgoingRequest(settings, operation, parts, options)
  }

  /** All events, until the signal is aborted or the consumer leaves. */
  async *events(): AsyncGenerator<unknown, void, undefined> {
    const { signal } = this.#options
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
    this.#response = undefined
    this.#isOpen = false
    const reader = await this.#open()
    this.#isOpen = true
    this.#wasOpen = true
    const close = () => void reader.cancel().catch(() => {})
    // Also while the consumer handles an event.
    const forget = onAbort(this.#ending.signal, close)
    try {
      report(this.#settings, this.#operation, {
        number: this.#attempts,
        response: this.#response,
        failure: null,
        retryIn: null
      })
      return yield* this.#read(reader)
    } finally {
      forget()
      close()
    }
  }

  /** Waits for a part of an exchange, within a time and until the stream is to end. */
  #within<A>(milliseconds: number, part: (signal: AbortSignal) => Promise<A>): Promise<A> {
    const { signal } = this.#ending
    return exchange(this.#settings, this.#operation, this.#request, { milliseconds, signal }, part)
  }

  async #open(): Promise<Reader> {
    const { fetch, timeout } = this.#settings
    const headers = new Headers(this.#request.headers)
    if (this.#lastId !== undefined) headers.set(RESUME, this.#lastId)
    return this.#within(this.#options.timeout ?? timeout, async (signal) => {
      const response = await fetch(this.#request.url, { ...this.#request.init, headers, signal })
      this.#response = response
      if (!isSuccess(this.#operation, response)) {
        const result = await readResponse(this.#settings, this.#operation, this.#request, response)
        if ("failure" in result) throw result.failure
      } else if (response.body !== null && isEventStream(response)) {
        return response.body.getReader()
      }
      // Its body may not end.
      void response.body?.cancel().catch(() => {})
      throw this.#unexpected("this is no stream of events")
    })
  }

  async *#read(reader: Reader): AsyncGenerator<unknown, never, undefined> {
    const { heartbeatTimeout, maxResponseBytes } = this.#settings
    const decoder = new TextDecoder()
    const parser = new ServerSentEvents(maxResponseBytes)
    for (let piece = 1;; piece += 1) {
      // oxlint-disable-next-line no-await-in-loop -- Pieces come one after another.
      const { done, value } = await this.#within(heartbeatTimeout, () => reader.read())
      if (done) throw new ConnectionError(this.#operation.id, "the stream ended")
      const events = this.#parse(parser, decoder.decode(value, { stream: true }))
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
    if (!EVENT_ID.test(id)) throw this.#unexpected("the id of an event is no number")
    this.#lastId = id
  }

  #parse(parser: ServerSentEvents, text: string) {
    try {
      return parser.push(text)
    } catch (error) {
      if (error instanceof EventTooLong) throw this.#unexpected("an event is longer than maxResponseBytes")
      throw error
    }
  }

  #eventOf(data: string): unknown {
    try {
      return JSON.parse(data)
    } catch {
      throw this.#unexpected("an event is not JSON")
    }
  }

  #unexpected(reason: string): UnexpectedResponseError {
    return new UnexpectedResponseError(this.#operation.id, {
      status: this.#response?.status ?? 0,
      requestId: this.#response?.headers.get("x-request-id") ?? null,
      retryAfter: null
    }, reason)
  }

  #isPassing(failure: Failure): boolean {
    if (failure instanceof ConnectionError || failure instanceof TimeoutError) return true
    return !this.#isOpen && !REFUSALS.has(failure.status)
  }

  /** Waits before the stream is opened again, or fails with this failure. */
  async #pause(failure: Failure): Promise<void> {
    const retryIn = this.#delayAfter(failure)
    report(this.#settings, this.#operation, {
      number: Math.max(this.#attempts, 1),
      response: this.#response,
      failure,
      retryIn
    })
    if (retryIn === null) throw failure
    const { signal } = this.#ending
    await this.#settings.timing.sleep(retryIn, signal)
    signal.throwIfAborted()
  }

  /**
   * A stream that cannot be opened at first fails like any call, so that a wrong address is noticed. A stream that was
   * open is opened again without a limit, unless the server refuses it permanently, sends an event that cannot be read, or
   * requires a delay of more than an hour.
   */
  #delayAfter(failure: Failure): number | null {
    const { maxRetryDelay: maxDelay, retries, timing: { random } } = this.#settings
    const failed = { failure, attempt: Math.max(this.#attempts, 1), maxDelay, random }
    if (!this.#wasOpen) {
      const { idempotent } = this.#operation
      return delayBeforeRetry({ ...failed, idempotent, retries: this.#options.retries ?? retries })
    }
    return this.#isPassing(failure) ? delayAfter(failed, Math.max(maxDelay, MAX_REQUIRED_DELAY)) : null
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
  [Symbol.asyncIterator]: () => iterate(new EventConnections(settings, operation, parts, options))
})
