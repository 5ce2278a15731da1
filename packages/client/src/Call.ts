import { type Failure, isFailure, TimeoutError } from "./ClientError.ts"
import { type CallOptions, checkCallOptions, type Settings } from "./ClientOptions.ts"
import { overConnection, report } from "./Exchange.ts"
import { readResponse } from "./IncomingResponse.ts"
import type { Operation } from "./Operation.ts"
import { type OutgoingRequest, outgoingRequest, type RequestParts } from "./OutgoingRequest.ts"
import { delayBeforeRetry } from "./Retry.ts"
import { within } from "./Timing.ts"

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
  const limit = {
    timing: settings.timing,
    milliseconds: timeout,
    onTimeout: () => new TimeoutError(operation.id, timeout),
    signal
  }
  try {
    const result = await within(limit, (own) =>
      overConnection(operation, request, own, async () => {
        response = await fetch(request.url, { ...request.init, headers: request.headers, signal: own })
        return readResponse(operation, request, response, settings.maxResponseBytes)
      }))
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
