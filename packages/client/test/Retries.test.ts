import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import type { Attempt } from "../src/Attempt.ts"
import { createClient } from "../src/Client.ts"
import { ApiError, ConnectionError, TimeoutError, UnexpectedResponseError } from "../src/ClientError.ts"
import type { ClientOptions } from "../src/ClientOptions.ts"
import { systemTiming } from "../src/Timing.ts"
import { ManualTiming } from "./ManualTiming.ts"
import { rejectionOf } from "./Rejection.ts"
import { answer, event, hangUp, ignore, refuse, serve, stream } from "./ScriptedServer.ts"

const PAGE = { records: [], next_after: null }
const WEBHOOK = { webhook_id: "1", token: "cmw_secret_token" }

const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}) => {
  const timing = new ManualTiming()
  const attempts: Array<Attempt> = []
  const client = createClient({
    baseUrl,
    credentials: { admin: "cma_secret_key", bot: "cmb_secret_token" },
    timing,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options
  })
  return { client, timing, attempts }
}

describe("A request that exceeds a rate limit", () => {
  it.each([
    ["the time in Retry-After", refuse(429, "RATE_LIMITED", { "retry-after": "3" }), 3250],
    ["the client's own delay if the server sends none", answer(429, "slow down"), 250]
  ])("is repeated after %s, also if it posts something", async (_, refusal, delay) => {
    const server = await serve(refusal, answer(204, ""))
    const { client, timing } = clientOf(server.baseUrl)
    const posted = client.webhooks.executeCodeHost({ path: WEBHOOK, body: { sender: { login: "ada" } } })
    await timing.pass(delay)
    await posted
    expect(server.requests.map(({ body }) => body)).toEqual(Array(2).fill("{\"sender\":{\"login\":\"ada\"}}"))
  })

  it.each([
    [
      "the date in Retry-After",
      { "retry-after": "Sun, 22 Nov 2026 12:00:07 GMT", date: "Sun, 22 Nov 2026 12:00:00 GMT" },
      {},
      7250
    ],
    ["retry_after in the body, if the browser hides the header", {}, { retry_after: 2 }, 2250],
    ["its own delay, if retry_after is negative", {}, { retry_after: -5 }, 250],
    ["the longest of several times in Retry-After, as of a server and its proxy", { "retry-after": "5, 2" }, {}, 5250],
    ["retry_after in the body, if Retry-After is neither a time nor a date", { "retry-after": "-1" }, {
      retry_after: 2
    }, 2250],
    ["a time with decimals in Retry-After, and an empty element of the list", { "retry-after": "1.5," }, {}, 1750],
    ["X-RateLimit-Reset-After", { "x-ratelimit-reset-after": "0.750" }, {}, 1000]
  ])("waits for %s", async (_, headers, body, delay) => {
    const server = await serve(refuse(429, "RATE_LIMITED", headers, body), answer(200, PAGE))
    const { client, timing } = clientOf(server.baseUrl)
    const page = client.logs.readAuditLog()
    await timing.pass(delay)
    expect(await page).toEqual(PAGE)
  })

  it("fails at once if it must wait longer than maxRetryDelay, with the time to wait in the error", async () => {
    const server = await serve(refuse(429, "RATE_LIMITED", { "retry-after": "31" }))
    const { client } = clientOf(server.baseUrl)
    const failure = await rejectionOf(client.logs.readAuditLog())
    expect(failure).toMatchObject({ code: "RATE_LIMITED", status: 429, retryAfter: 31 })
    expect(server.requests).toHaveLength(1)
  })

  it("compares a date in Retry-After with its own clock if the browser hides the date of the response", async () => {
    const headers = { "retry-after": "Sun, 22 Nov 2026 13:00:00 GMT" }
    const { client } = clientOf("https://chat.example", {
      fetch: () => Promise.resolve(Response.json({}, { status: 503, headers }))
    })
    expect(await rejectionOf(client.logs.readAuditLog())).toMatchObject({ retryAfter: 3600 })
  })

  it("fails after the number of retries", async () => {
    const server = await serve(refuse(429, "RATE_LIMITED", { "retry-after": "1" }))
    const { attempts, client, timing } = clientOf(server.baseUrl)
    const failed = rejectionOf(client.logs.readAuditLog())
    await timing.pass(1250)
    await timing.pass(1250)
    expect(await failed).toBeInstanceOf(ApiError)
    expect(attempts.map(({ number, retryIn }) => [number, retryIn])).toEqual([[1, 1250], [2, 1250], [3, null]])
  })
})

describe("A request without a response", () => {
  it.each([
    ["503 SERVICE_UNAVAILABLE", refuse(503, "SERVICE_UNAVAILABLE", { "retry-after": "5" }), 5250],
    ["502 of a proxy", answer(502, "<html>Bad Gateway</html>"), 250],
    ["a closed connection", hangUp, 250]
  ])("is repeated after %s if it is idempotent", async (_, step, delay) => {
    const server = await serve(step, answer(200, PAGE))
    const { client, timing } = clientOf(server.baseUrl)
    const page = client.logs.readAuditLog()
    await timing.pass(delay)
    expect(await page).toEqual(PAGE)
  })

  it("is reported without the response of an earlier attempt that arrives too late", async () => {
    let respond: (response: Response) => void = () => {}
    const late = new Promise<Response>((resolve) => {
      respond = resolve
    })
    let sent = 0
    const { attempts, client, timing } = clientOf("https://chat.example", {
      timeout: 7000,
      retries: 1,
      fetch: () => {
        sent += 1
        if (sent === 1) return late
        respond(Response.json({}, { status: 503 }))
        return late.then(() => Promise.reject(new TypeError("no route")))
      }
    })
    const failed = rejectionOf(client.logs.readAuditLog())
    await timing.pass(7000)
    await timing.pass(250)
    expect(await failed).toBeInstanceOf(ConnectionError)
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([[1, null], [2, null]])
  })

  it("is repeated after the timeout, with longer delays each time", async () => {
    const server = await serve(ignore, ignore, answer(200, PAGE))
    const { attempts, client, timing } = clientOf(server.baseUrl, { timeout: 7000 })
    const page = client.logs.readAuditLog()
    await server.arrived(1)
    await timing.pass(7000)
    await timing.pass(250)
    await server.arrived(2)
    await timing.pass(7000)
    await timing.pass(500)
    expect(await page).toEqual(PAGE)
    expect(attempts.map(({ failure }) => failure?.name)).toEqual(["TimeoutError", "TimeoutError", undefined])
    expect(timing.asleep).toEqual([])
  })

  it.each([
    ["503", refuse(503, "SERVICE_UNAVAILABLE", { "retry-after": "5" }), ApiError],
    ["a closed connection", hangUp, ConnectionError],
    ["504 of a proxy", answer(504, ""), UnexpectedResponseError]
  ])("is not repeated after %s if it may have posted something", async (_, step, kind) => {
    const server = await serve(step)
    const { client } = clientOf(server.baseUrl)
    const posted = client.webhooks.executeErrorTracker({ path: WEBHOOK, body: {} })
    expect(await rejectionOf(posted)).toBeInstanceOf(kind)
    expect(server.requests).toHaveLength(1)
  })

  it("is repeated if the caller marks it as idempotent, such as a notification with the id of its delivery", async () => {
    const server = await serve(hangUp, answer(204, ""))
    const { client, timing } = clientOf(server.baseUrl)
    const posted = client.webhooks.executeCodeHost(
      { path: WEBHOOK, headers: { "x-github-delivery": "d-1" }, body: { sender: { login: "ada" } } },
      { idempotent: true }
    )
    await timing.pass(250)
    await posted
    expect(server.requests.map(({ headers }) => headers["x-github-delivery"])).toEqual(["d-1", "d-1"])
  })

  it("is not repeated if the caller wants no retries", async () => {
    const server = await serve(hangUp)
    const { client } = clientOf(server.baseUrl)
    expect(await rejectionOf(client.logs.readAuditLog({}, { retries: 0 }))).toBeInstanceOf(ConnectionError)
    expect(server.requests).toHaveLength(1)
  })

  it("fails with a TimeoutError also if fetch ignores its signal", async () => {
    const { client, timing } = clientOf("http://127.0.0.1:9", { fetch: () => new Promise(() => {}), retries: 0 })
    const failed = rejectionOf(client.logs.readAuditLog({}, { timeout: 1000 }))
    await timing.pass(1000)
    const failure = await failed
    expect(failure).toBeInstanceOf(TimeoutError)
    expect(failure).toMatchObject({
      operation: "logs.readAuditLog",
      message: "logs.readAuditLog: no answer within 1000 milliseconds"
    })
  })
})

describe("A fetch of the caller", () => {
  it("is called as a plain function, because that of browsers works in no other way", async () => {
    const server = await serve(answer(200, PAGE), stream([event(1)]))
    const receivers: Array<unknown> = []
    const { client } = clientOf(server.baseUrl, {
      fetch(this: unknown, input, init) {
        receivers.push(this)
        return globalThis.fetch(input, init)
      }
    })
    await client.logs.readAuditLog()
    await client.logs.streamEvents()[Symbol.asyncIterator]().next()
    expect(receivers).toEqual([undefined, undefined])
  })
})

describe("A permanent error", () => {
  it.each([
    ["400", refuse(400, "INVALID_FORM_BODY", {}, { errors: [] })],
    ["500", refuse(500, "INTERNAL_SERVER_ERROR")]
  ])("fails at once: %s", async (_, step) => {
    const server = await serve(step)
    const { client } = clientOf(server.baseUrl)
    expect(await rejectionOf(client.logs.readAuditLog())).toBeInstanceOf(ApiError)
    expect(server.requests).toHaveLength(1)
  })
})

describe("The signal of a call", () => {
  it("ends a wait before a retry", async () => {
    const server = await serve(hangUp)
    const controller = new AbortController()
    const { client } = clientOf(server.baseUrl, { onAttempt: () => controller.abort() })
    const failure = await rejectionOf(client.logs.readAuditLog({}, { signal: controller.signal }))
    expect(failure).toMatchObject({ name: "AbortError" })
    expect(server.requests).toHaveLength(1)
  })

  it("ends requests and waits with its reason; it has one listener for all, because Node warns of more than ten, and none after them", async () => {
    const server = await serve(ignore)
    const { client, timing } = clientOf(server.baseUrl)
    const controller = new AbortController()
    const { signal } = controller
    const calls = Array.from({ length: 11 }, () => rejectionOf(client.logs.readAuditLog({}, { signal })))
    const waits = Array.from({ length: 11 }, () => systemTiming.sleep(60_000, signal))
    expect(getEventListeners(signal, "abort")).toHaveLength(1)
    const reason = new Error("not needed any more")
    controller.abort(reason)
    for (const failure of await Promise.all(calls)) expect(failure).toBe(reason)
    await Promise.all(waits)
    expect(timing.asleep).toEqual([])
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("prevents a call from sending anything if it is aborted already", async () => {
    const server = await serve(answer(200, PAGE))
    const { client } = clientOf(server.baseUrl)
    const failure = await rejectionOf(client.logs.readAuditLog({}, { signal: AbortSignal.abort("enough") }))
    expect(failure).toBe("enough")
    expect(server.requests).toEqual([])
  })
})

describe("onAttempt", () => {
  it("gets the request id and the state of the rate limit", async () => {
    const headers = {
      "x-ratelimit-bucket": "administration",
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "99",
      "x-ratelimit-reset-after": "0.600"
    }
    const server = await serve(answer(200, PAGE, headers))
    const { attempts, client } = clientOf(server.baseUrl)
    await client.logs.readAuditLog()
    expect(attempts).toEqual([{
      operation: "logs.readAuditLog",
      number: 1,
      status: 200,
      requestId: "r-1",
      rateLimit: { bucket: "administration", limit: 100, remaining: 99, resetAfter: 0.6 },
      failure: null,
      retryIn: null
    }])
  })
})
