import { onAbort } from "./AbortListener.ts"
import { rateLimitOf } from "./Attempt.ts"
import { ConnectionError, type Failure, isFailure, TimeoutError, UnexpectedResponseError } from "./ClientError.ts"
import { type CallOptions, checkCallOptions, type Settings } from "./ClientOptions.ts"
import { failureOf } from "./IncomingResponse.ts"
import type { Operation } from "./Operation.ts"
import { type OutgoingRequest, outgoingRequest, type RequestParts } from "./OutgoingRequest.ts"

/** The texts of an error and of its causes. */
const textsOf = (error: unknown, depth = 0): ReadonlyArray<string> => {
  if (!(error instanceof Error)) return [String(error)]
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const own = error.message === "" ? code : error.message
  return depth < 4 && error.cause !== undefined ? [own, ...textsOf(error.cause, depth + 1)] : [own]
}

/** A request of an operation, which is sent any number of times, and its present response. */
export class Exchange {
  readonly settings: Settings
  readonly operation: Operation
  readonly options: CallOptions
  readonly #request: OutgoingRequest
  #response: Response | undefined

  constructor(settings: Settings, operation: Operation, parts: RequestParts, options: CallOptions) {
    checkCallOptions(options)
    this.settings = settings
    this.operation = operation
    this.options = options
    this.#request = outgoingRequest(settings, operation, parts, options)
  }

  /**
   * Does a part of the exchange, such as sending the request or reading the response. When the time is over or the signal is
   * aborted, aborts the part's own signal and fails with the timeout or the reason of the signal, without waiting for the
   * part. An error that it throws becomes a failure of the connection, unless it is another failure already.
   */
  async within<A>(
    milliseconds: number,
    signal: AbortSignal | undefined,
    part: (own: AbortSignal) => Promise<A>
  ): Promise<A> {
    const { operation: { id }, settings: { timing } } = this
    signal?.throwIfAborted()
    const own = new AbortController()
    const timer = new AbortController()
    const forgetSignal = signal && onAbort(signal, () => own.abort(signal.reason))
    const expire = async () => {
      await timing.sleep(milliseconds, timer.signal)
      if (!timer.signal.aborted) own.abort(new TimeoutError(id, milliseconds))
    }
    void expire()
    const stopped = new Promise<never>((_, reject) => {
      own.signal.addEventListener("abort", () => reject(own.signal.reason))
    })
    try {
      return await Promise.race([part(own.signal), stopped])
    } catch (error) {
      if (own.signal.aborted) throw own.signal.reason
      if (isFailure(error)) throw error
      const text = textsOf(error).filter((each) => each !== "").join(": ")
      throw new ConnectionError(id, this.withoutSecrets(text))
    } finally {
      timer.abort()
      forgetSignal?.()
    }
  }

  /** Sends the request once, with more headers, and reads a success. Other responses are failures. */
  attempt<A>(
    signal: AbortSignal | undefined,
    read: (response: Response) => A | Promise<A>,
    more: Readonly<Record<string, string>> = {}
  ): Promise<A> {
    const { operation, options, settings } = this
    // Called as a function, not as a method: browsers reject that.
    const { fetch } = settings
    const { headers, init, url } = this.#request
    this.#response = undefined
    return this.within(options.timeout ?? settings.timeout, signal, async (own) => {
      const sent = new Headers({ ...Object.fromEntries(headers), ...more })
      const response = await fetch(url, { ...init, headers: sent, signal: own })
      // A response that is too late must not be taken for that of the next attempt.
      own.throwIfAborted()
      this.#response = response
      if (operation.success.includes(response.status)) return read(response)
      throw await failureOf(this, response)
    })
  }

  /** Returns the text without the secrets: a server, or a proxy before it, may repeat the path or a header of the request. */
  withoutSecrets(text: string): string {
    return this.#request.secrets.reduce((clean, secret) => clean.replaceAll(secret, "…"), text)
  }

  /** The failure for a present response that is not from the API. */
  unexpected(reason: string, retryAfter: number | null = null): UnexpectedResponseError {
    const { headers, status = 0 } = this.#response ?? {}
    const requestId = headers?.get("x-request-id") ?? null
    return new UnexpectedResponseError(this.operation.id, { status, requestId, retryAfter }, reason)
  }

  /** Reports the end of an attempt to `onAttempt`. */
  report(number: number, failure: Failure | null, retryIn: number | null): void {
    const { headers, status = null } = this.#response ?? {}
    this.settings.onAttempt({
      operation: this.operation.id,
      number,
      status,
      requestId: headers?.get("x-request-id") ?? null,
      rateLimit: headers === undefined ? null : rateLimitOf(headers),
      failure,
      retryIn
    })
  }
}
