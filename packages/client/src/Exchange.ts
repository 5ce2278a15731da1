import { rateLimitOf } from "./Attempt.ts"
import { ConnectionError, type Failure, isFailure } from "./ClientError.ts"
import type { Settings } from "./ClientOptions.ts"
import type { Operation } from "./Operation.ts"
import type { OutgoingRequest } from "./OutgoingRequest.ts"
import { withoutSecrets } from "./Secrets.ts"

/** The texts of an error and of its causes. */
const textsOf = (error: unknown, depth = 0): ReadonlyArray<string> => {
  if (!(error instanceof Error)) return [String(error)]
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const own = error.message === "" ? code : error.message
  return depth < 4 && error.cause !== undefined ? [own, ...textsOf(error.cause, depth + 1)] : [own]
}

/** The error of a connection, without the credentials of the request. */
const connectionError = (operation: Operation, error: unknown, { secrets }: OutgoingRequest): ConnectionError => {
  const text = textsOf(error).filter((each) => each !== "").join(": ")
  return new ConnectionError(operation.id, withoutSecrets(text, secrets))
}

/**
 * Does a part of an exchange with the server, such as sending the request or reading the response. An error that it throws
 * becomes a failure of the connection, unless it is another failure already or the signal is aborted.
 */
export const overConnection = async <A>(
  operation: Operation,
  request: OutgoingRequest,
  signal: AbortSignal,
  part: () => Promise<A>
): Promise<A> => {
  try {
    return await part()
  } catch (error) {
    if (signal.aborted || isFailure(error)) throw error
    throw connectionError(operation, error, request)
  }
}

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
