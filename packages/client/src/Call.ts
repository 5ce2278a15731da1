import { type Failure, isFailure } from "./ClientError.ts"
import { type CallOptions, checkCallOptions, type Settings } from "./ClientOptions.ts"
import { exchange, report } from "./Exchange.ts"
import { readResponse } from "./IncomingResponse.ts"
import type { Operation } from "./Operation.ts"
import { type OutgoingRequest, outgoingRequest, type RequestParts } from "./OutgoingRequest.ts"
import { delayBeforeRetry } from "./Retry.ts"

/** How an attempt ended. */
interface Ended {
  readonly response: Response | undefined
  readonly result: { readonly value: unknown } | { readonly failure: Failure }
}

/** Sends the request once and reads the response. Rejects only with the reason of an abort. */
const attempt = async (
  settings: Settings,
  operation: Operation,
  request: OutgoingRequest,
  { signal, timeout = settings.timeout }: CallOptions
): Promise<Ended> => {
  // Called as a function, not as a method: browsers reject that.
  const { fetch } = settings
  let response: Response | undefined
  try {
    const result = await exchange(settings, operation, request, { milliseconds: timeout, signal }, async (own) => {
      response = await fetch(request.url, { ...request.init, headers: request.headers, signal: own })
      return readResponse(settings, operation, request, response)
    })
    return { response, result }
  } catch (failure) {
    if (!isFailure(failure)) throw failure
    return { response, result: { failure } }
  }
}

/** Sends the request until it succeeds, fails permanently, or the signal is aborted. */
export const call = async (
  settings: Settings,
  operation: Operation,
  parts: RequestParts,
  options: CallOptions
): Promise<unknown> => {
  checkCallOptions(options)
  const request = outgoingRequest(settings, operation, parts, options)
  const never = new AbortController().signal
  for (let number = 1;; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- One attempt after another.
    const { response, result } = await attempt(settings, operation, request, options)
    if ("value" in result) {
      report(settings, operation, { number, response, failure: null, retryIn: null })
      return result.value
    }
    const { failure } = result
    const retryIn = delayBeforeRetry({
      failure,
      attempt: number,
      idempotent: options.idempotent ?? operation.idempotent,
      retries: options.retries ?? settings.retries,
      maxDelay: settings.maxRetryDelay,
      random: settings.timing.random
    })
    report(settings, operation, { number, response, failure, retryIn })
    if (retryIn === null) throw failure
    // oxlint-disable-next-line no-await-in-loop -- Waits before the next attempt.
    await settings.timing.sleep(retryIn, options.signal ?? never)
    options.signal?.throwIfAborted()
  }
}
