import { rateLimitOf } from "./Attempt.ts"
import { ConnectionError, type Failure, isFailure, TimeoutError } from "./ClientError.ts"
import type { Settings } from "./ClientOptions.ts"
import type { Operation } from "./Operation.ts"
import { type OutgoingRequest, withoutSecrets } from "./OutgoingRequest.ts"
import { type Limit, within } from "./Timing.ts"

/** The texts of an error and of its causes. */
const textsOf = (error: unknown, depth = 0): ReadonlyArray<string> => {
  if (!(error instanceof Error)) return [String(error)]
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const own = error.message === "" ? code : error.message
  return depth < 4 && error.cause !== undefined ? [own, ...textsOf(error.cause, depth + 1)] : [own]
}

/** The error of a connection, without the credentials of the request. */
const connectionError = (operation: Operation, error: unknown, request: OutgoingRequest): ConnectionError => {
  const text = textsOf(error).filter((each) => each !== "").join(": ")
  return new ConnectionError(operation.id, withoutSecrets(text, request))
}

/**
 * Does a part of an exchange with the server, such as sending the request or reading the response, within a time and until
 * the signal is aborted. An error that it throws becomes a failure of the connection, unless it is another failure already.
 */
export const exchange = <A>(
  { timing }: Settings,
  operation: Operation,
  request: OutgoingRequest,
  { milliseconds, signal }: Pick<Limit, "milliseconds" | "signal">,
  part: (signal: AbortSignal) => Promise<A>
): Promise<A> =>
  within(
    { timing, milliseconds, onTimeout: () => new TimeoutError(operation.id, milliseconds), signal },
    async (own) => {
      try {
        return await part(own)
      } catch (error) {
        if (own.aborted || isFailure(error)) throw error
        throw connectionError(operation, error, request)
      }
    }
  )

/** Reports the end of an attempt to `onAttempt`. */
export const report = (
  { onAttempt }: Settings,
  operation: Operation,
  attempt: {
    readonly number: number
    readonly response: Response | undefined
    readonly failure: Failure | null
    readonly retryIn: number | null
  }
): void => {
  const { failure, number, response, retryIn } = attempt
  onAttempt({
    operation: operation.id,
    number,
    status: response?.status ?? null,
    requestId: response?.headers.get("x-request-id") ?? null,
    rateLimit: response === undefined ? null : rateLimitOf(response.headers),
    failure,
    retryIn
  })
}
