import { numberIn } from "./Attempt.ts"
import { ApiError, type Failure } from "./ClientError.ts"
import type { Exchange } from "./Exchange.ts"
import type { Operation } from "./Operation.ts"
import { type ErrorCode, PROTOCOL_ERRORS } from "./Operations.ts"
import type { Violation } from "./Resources.ts"

/** Reads the whole body as text, unless it has too many bytes. */
const readText = async (exchange: Exchange, { body, headers }: Response): Promise<string> => {
  if (body === null) return ""
  const { maxResponseBytes } = exchange.settings
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let bytes = numberIn(headers, "content-length") ?? 0
  const refuseMany = () => {
    if (bytes > maxResponseBytes) throw exchange.unexpected(`the body has more than ${maxResponseBytes} bytes`)
  }
  try {
    refuseMany()
    bytes = 0
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- Pieces come one after another.
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      refuseMany()
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** A date of HTTP begins with the day of the week (RFC 9110, 5.6.7). Without this check, `Date.parse` accepts `5, 5`. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** Numbers of one header, or of several that are joined with commas, such as that of a server and of its proxy. */
const SECONDS = /^[\s,]*\d+(?:\.\d+)?(?:[\s,]+\d+(?:\.\d+)?)*[\s,]*$/

/**
 * Seconds to wait; the longest of several. A date is compared with the date of the response, or with the client's clock if
 * the browser hides that date.
 */
const retryAfterOf = ({ headers, status }: Response, body: unknown, now: () => number): number | null => {
  const text = headers.get("retry-after") ?? ""
  const sent = Date.parse(headers.get("date") ?? "")
  const date = DATE.test(text) ? Date.parse(text) - (Number.isNaN(sent) ? now() : sent) : NaN
  const seconds = SECONDS.test(text) ? Math.max(...text.split(/[\s,]+/).map(Number)) : null
  const inHeader = seconds ?? (Number.isFinite(date) ? Math.max(0, Math.ceil(date / 1000)) : null)
  if (inHeader !== null || status !== 429) return inHeader
  // Browsers hide headers from programs of another origin unless the server exposes them.
  const inBody = isRecord(body) ? body["retry_after"] : undefined
  return typeof inBody === "number" && inBody >= 0 ? inBody : numberIn(headers, "x-ratelimit-reset-after")
}

const isCodeOf = ({ errors }: Operation, code: unknown): code is ErrorCode => {
  const codes: ReadonlyArray<unknown> = [...errors, ...PROTOCOL_ERRORS]
  return codes.includes(code)
}

const isViolation = (value: unknown): value is Violation =>
  isRecord(value) && typeof value["path"] === "string" && typeof value["message"] === "string"
  && typeof value["code"] === "string"

/** The failure for a response that is not a success. */
export const failureOf = async (exchange: Exchange, response: Response): Promise<Failure> => {
  const { operation, settings: { timing } } = exchange
  const clean = (text: string) => exchange.withoutSecrets(text)
  const { headers, status, type } = response
  const body = parse(await readText(exchange, response))?.value
  const retryAfter = retryAfterOf(response, body, timing.now)
  if (isRecord(body) && isCodeOf(operation, body["code"]) && typeof body["message"] === "string") {
    const { code, errors, message } = body
    return new ApiError(operation.id, {
      status,
      requestId: headers.get("x-request-id"),
      retryAfter,
      code,
      message: clean(message),
      violations: (Array.isArray(errors) ? errors.filter(isViolation) : []).flatMap((each) =>
        clean(each.code) === each.code
          ? [{ path: clean(each.path), message: clean(each.message), code: each.code }]
          : []
      )
    })
  }
  const reason = type === "opaqueredirect" || (status >= 300 && status < 400)
    ? "the server redirects: check baseUrl"
    : isRecord(body) && typeof body["code"] === "string" && typeof body["message"] === "string"
    ? `this version of the client does not know the error ${body["code"]} of this operation: ${body["message"]}`
    : "this is not an error of the API: check baseUrl, and what is in front of the server"
  return exchange.unexpected(clean(reason), retryAfter)
}

/** Reads a success: the result of the operation. */
export const readResult = async (exchange: Exchange, response: Response): Promise<unknown> => {
  const text = await readText(exchange, response)
  if (exchange.operation.response === "nothing") return undefined
  const parsed = parse(text)
  if (parsed === undefined) throw exchange.unexpected("the body is not JSON")
  return parsed.value
}
