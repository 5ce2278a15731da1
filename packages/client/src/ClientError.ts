import type { ErrorCode } from "./Operations.ts"
import type { Violation } from "./Resources.ts"

/** What all failures of a call have. No message contains a credential. */
abstract class ClientError extends Error {
  /** The operation, such as `webhooks.update`. */
  readonly operation: string

  constructor(name: string, operation: string, message: string) {
    super(`${operation}: ${message}`)
    this.name = name
    this.operation = operation
  }
}

/** What an error of the API says. */
interface Said {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
  readonly requestId: string | null
  readonly violations: ReadonlyArray<Violation>
  readonly retryAfter: number | null
}

/** An error of the API. Its `code` says which (API reference, Errors). */
export class ApiError extends ClientError {
  /** The code again, so that Effect's `catchTag` knows the error. */
  readonly _tag: ErrorCode
  /** The code, for programs. */
  readonly code: ErrorCode
  /** The HTTP status. */
  readonly status: number
  /** Identifies the request in the log of the server. */
  readonly requestId: string | null
  /** With `INVALID_FORM_BODY`, all violations of the request; empty otherwise. */
  readonly violations: ReadonlyArray<Violation>
  /** The seconds after which the request may be repeated, where the server says so. */
  readonly retryAfter: number | null

  constructor(operation: string, said: Said) {
    const details = said.violations.map(({ message, path }) => `${path} ${message}`).join("; ")
    super("ApiError", operation, `${said.code} (${said.status}): ${details === "" ? said.message : details}`)
    this._tag = said.code
    this.code = said.code
    this.status = said.status
    this.requestId = said.requestId
    this.violations = said.violations
    this.retryAfter = said.retryAfter
  }
}

/** There is no answer: no connection, or it ended too early. */
export class ConnectionError extends ClientError {
  readonly _tag = "ConnectionError"

  /** `reason` is what the system says. */
  constructor(operation: string, reason: string) {
    super("ConnectionError", operation, `no answer: ${reason}`)
  }
}

/** The answer is not there within the timeout. */
export class TimeoutError extends ClientError {
  readonly _tag = "TimeoutError"

  constructor(operation: string, milliseconds: number) {
    super("TimeoutError", operation, `no answer within ${milliseconds} milliseconds`)
  }
}

/** The answer is none of the API's: of a proxy, of another service, or of a version of the API with other errors. */
export class UnexpectedResponseError extends ClientError {
  readonly _tag = "UnexpectedResponseError"
  /** The HTTP status. */
  readonly status: number
  /** Identifies the request in the log of the server. */
  readonly requestId: string | null
  /** The seconds after which the request may be repeated, where the server says so. */
  readonly retryAfter: number | null

  constructor(
    operation: string,
    said: { readonly status: number; readonly requestId: string | null; readonly retryAfter: number | null },
    reason: string
  ) {
    super("UnexpectedResponseError", operation, `unexpected response (${said.status}): ${reason}`)
    this.status = said.status
    this.requestId = said.requestId
    this.retryAfter = said.retryAfter
  }
}

/** The errors of the API with these codes, one type for each. */
export type ApiErrorOf<Code extends ErrorCode> = Code extends ErrorCode
  ? ApiError & { readonly _tag: Code; readonly code: Code }
  : never

/** The ways in which any call can fail besides the errors of the API. */
export type TransportError = ConnectionError | TimeoutError | UnexpectedResponseError

/** Everything that a call can fail with, except for wrong use (a `TypeError`) and the reason of an abort. */
export type Failure = ApiError | TransportError

/** Returns whether a call failed with this, rather than by wrong use or an abort. */
export const isFailure = (error: unknown): error is Failure => error instanceof ClientError
