import type { ErrorCode } from "./Operations.ts"
import type { Violation } from "./Resources.ts"

/** The common fields of all failures of a call. No message contains a credential. */
abstract class ClientError extends Error {
  /** The operation, such as `webhooks.update`. */
  readonly operation: string

  constructor(name: string, operation: string, message: string) {
    super(`${operation}: ${message}`)
    this.name = name
    this.operation = operation
  }
}

/** The common fields of the failures that a response reports. */
abstract class ResponseError extends ClientError {
  /** The HTTP status. */
  readonly status: number
  /** Identifies the request in the log of the server. */
  readonly requestId: string | null
  /** The seconds after which the request may be repeated; null if the server does not send it. */
  readonly retryAfter: number | null

  constructor(name: string, operation: string, message: string, { requestId, retryAfter, status }: ResponseFields) {
    super(name, operation, message)
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

type ResponseFields = Pick<ResponseError, "status" | "requestId" | "retryAfter">

/** An error of the API, identified by its `code` (API reference, Errors). */
export class ApiError extends ResponseError {
  /** The code again, for Effect's `catchTag`. */
  readonly _tag: ErrorCode
  /** The code, for programs. */
  readonly code: ErrorCode
  /** With `INVALID_FORM_BODY`, all violations of the parameters, or else of the body; empty otherwise. */
  readonly violations: ReadonlyArray<Violation>

  constructor(operation: string, fields: ResponseFields & Pick<ApiError, "code" | "message" | "violations">) {
    const details = fields.violations.map(({ message, path }) => `${path} ${message}`).join("; ")
    super(
      "ApiError",
      operation,
      `${fields.code} (${fields.status}): ${details === "" ? fields.message : details}`,
      fields
    )
    this._tag = fields.code
    this.code = fields.code
    this.violations = fields.violations
  }
}

/** There is no response: no connection, or it ended too early. */
export class ConnectionError extends ClientError {
  readonly _tag = "ConnectionError"

  /** `reason` is the message of the system. */
  constructor(operation: string, reason: string) {
    super("ConnectionError", operation, `no answer: ${reason}`)
  }
}

/** There is no response within the timeout. */
export class TimeoutError extends ClientError {
  readonly _tag = "TimeoutError"

  constructor(operation: string, milliseconds: number) {
    super("TimeoutError", operation, `no answer within ${milliseconds} milliseconds`)
  }
}

/** The response is not from the API: from a proxy, another service, or a version of the API with other errors. */
export class UnexpectedResponseError extends ResponseError {
  readonly _tag = "UnexpectedResponseError"

  constructor(operation: string, fields: ResponseFields, reason: string) {
    super("UnexpectedResponseError", operation, `unexpected response (${fields.status}): ${reason}`, fields)
  }
}

/** The errors of the API with these codes, one type for each. */
export type ApiErrorOf<Code extends ErrorCode> = Code extends ErrorCode
  ? ApiError & { readonly _tag: Code; readonly code: Code }
  : never

/** The failures of any call besides the errors of the API. */
export type TransportError = ConnectionError | TimeoutError | UnexpectedResponseError

/** All failures of a call, except wrong use (a `TypeError`) and the reason of an abort. */
export type Failure = ApiError | TransportError

/** Returns whether a call failed with this, rather than by wrong use or an abort. */
export const isFailure = (error: unknown): error is Failure => error instanceof ClientError
