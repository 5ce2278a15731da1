import { isFailure } from "./ClientError.ts"
import type { CallOptions, Settings } from "./ClientOptions.ts"
import { Exchange } from "./Exchange.ts"
import { readResult } from "./IncomingResponse.ts"
import type { Operation } from "./Operation.ts"
import type { RequestParts } from "./OutgoingRequest.ts"
import { delayBeforeRetry } from "./Retry.ts"

/** Sends the request until it succeeds, fails permanently, or the signal is aborted. */
export const call = async (
  settings: Settings,
  operation: Operation,
  parts: RequestParts,
  options: CallOptions
): Promise<unknown> => {
  const exchange = new Exchange(settings, operation, parts, options)
  const never = new AbortController().signal
  for (let number = 1;; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- One attempt after another.
    const result = await exchange.attempt(options.signal, (response) => readResult(exchange, response))
      .then((value) => ({ value }), (failure: unknown) => ({ failure }))
    if ("value" in result) {
      exchange.report(number, null, null)
      return result.value
    }
    const { failure } = result
    if (!isFailure(failure)) throw failure
    const retryIn = delayBeforeRetry(exchange, failure, number)
    exchange.report(number, failure, retryIn)
    if (retryIn === null) throw failure
    // oxlint-disable-next-line no-await-in-loop -- Waits before the next attempt.
    await settings.timing.sleep(retryIn, options.signal ?? never)
    options.signal?.throwIfAborted()
  }
}
