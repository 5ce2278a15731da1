import type { Attempt } from "./Attempt.ts"
import { systemTiming, type Timing } from "./Timing.ts"

/** The credentials of the caller. An operation needs one of them, or the token of a webhook in its path. */
export interface Credentials {
  /** The token of a bot account, without `Bot`. */
  readonly bot?: string | undefined
  /** An admin key, without `Admin`. */
  readonly admin?: string | undefined
}

/** The options of a client. */
export interface ClientOptions {
  /** The address of the service, such as `https://chat.example`. It may end with `/v1`. */
  readonly baseUrl: string
  readonly credentials?: Credentials | undefined
  /** Sends requests. The platform's own `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a failed request is repeated if that is safe: 2 by default, 0 for never. */
  readonly retries?: number | undefined
  /**
   * The longest time to wait before a request is repeated, in milliseconds. By default 30 seconds. Up to half a second is
   * added to a time that the server requires, so that callers do not repeat their requests together.
   */
  readonly maxRetryDelay?: number | undefined
  /** How long an attempt may take, including the body of its response, in milliseconds. By default 30 seconds. */
  readonly timeout?: number | undefined
  /** The size of the largest response or event that is read, in bytes. By default 32 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** How long a stream of events may be silent before it is opened again, in milliseconds. By default 45 seconds. */
  readonly heartbeatTimeout?: number | undefined
  /** Gets each attempt of each call, for logs and metrics. An error that it throws ends the call. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
  /** The timers, the clock and the random numbers of the client, for tests. */
  readonly timing?: Timing | undefined
}

/** The options of one call. */
export interface CallOptions {
  /** Ends the call. It rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the `timeout` of the client. */
  readonly timeout?: number | undefined
  /** Replaces the `retries` of the client. */
  readonly retries?: number | undefined
  /**
   * Whether a request that may have been handled can be repeated. By default, only requests that have the same effect
   * when they are repeated.
   */
  readonly idempotent?: boolean | undefined
  /** The id of the request in the log of the server: 1 to 128 of `A-Z a-z 0-9 . _ -`. */
  readonly requestId?: string | undefined
}

const baseUrlOf = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("baseUrl must be an absolute address that begins with http: or https:")
  }
  // The address may contain a password, so the message does not repeat it.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("baseUrl must have no user, no query and no fragment")
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "")
}

/** Checks a token, which would otherwise be in the message with which `fetch` rejects a header. */
const tokenOf = (name: keyof Credentials, token: string | undefined): Credentials => {
  if (token === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError(`credentials.${name} must be a token: visible ASCII characters, without its scheme`)
  }
  return { [name]: token }
}

const number = (name: string, value: number, minimum: number): number => {
  if (typeof value === "number" && value >= minimum) return value
  throw new TypeError(`${name} must be a number of at least ${minimum}`)
}

const CALL_OPTIONS: ReadonlyArray<string> = [
  "signal",
  "timeout",
  "retries",
  "idempotent",
  "requestId"
] satisfies ReadonlyArray<keyof CallOptions>

const checkNames = (owner: string, options: object, known: ReadonlyArray<string>): void => {
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${owner} has no option ${unknown[0]}`)
}

/** Checks the options of a call. Throws a `TypeError` that names the wrong one. */
export const checkCallOptions = (options: CallOptions): void => {
  checkNames("a call", options, CALL_OPTIONS)
  const { requestId, retries, timeout } = options
  if (retries !== undefined) number("retries", retries, 0)
  if (timeout !== undefined) number("timeout", timeout, 1)
  if (requestId !== undefined && !/^[\w.-]{1,128}$/.test(requestId)) {
    throw new TypeError("requestId must have 1 to 128 characters of A-Z a-z 0-9 . _ -")
  }
}

/** Checks the options. Throws a `TypeError` that names the wrong one. */
export const settingsOf = (options: ClientOptions) => {
  const settings = {
    // Without a slash at the end, and without `/v1`.
    baseUrl: baseUrlOf(options.baseUrl),
    credentials: {
      ...tokenOf("bot", options.credentials?.bot),
      ...tokenOf("admin", options.credentials?.admin)
    },
    // Called as a plain function: browsers reject `fetch` as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    retries: number("retries", options.retries ?? 2, 0),
    maxRetryDelay: number("maxRetryDelay", options.maxRetryDelay ?? 30_000, 0),
    timeout: number("timeout", options.timeout ?? 30_000, 1),
    maxResponseBytes: number("maxResponseBytes", options.maxResponseBytes ?? 32 * 2 ** 20, 1),
    heartbeatTimeout: number("heartbeatTimeout", options.heartbeatTimeout ?? 45_000, 1),
    onAttempt: options.onAttempt ?? (() => {}),
    timing: options.timing ?? systemTiming
  } satisfies Required<ClientOptions>
  checkNames("a client", options, Object.keys(settings))
  return settings
}

/** Validated options with all defaults. */
export type Settings = ReturnType<typeof settingsOf>
