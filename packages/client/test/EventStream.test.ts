import { getEventListeners } from "node:events"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Attempt } from "../src/Attempt.ts"
import { createClient } from "../src/Client.ts"
import { ApiError, ConnectionError, UnexpectedResponseError } from "../src/ClientError.ts"
import type { ClientOptions } from "../src/ClientOptions.ts"
import { ManualTiming } from "./ManualTiming.ts"
import { rejectionOf } from "./Rejection.ts"
import { answer, event, hangUp, ignore, refuse, serve, stream } from "./ScriptedServer.ts"

const HEARTBEAT = ":\n\n"

/** The events of a stream, one after another, and the timers of its client. */
const listen = (baseUrl: string, options: Partial<ClientOptions> = {}, after?: number, signal?: AbortSignal) => {
  const timing = new ManualTiming()
  const attempts: Array<Attempt> = []
  const client = createClient({
    baseUrl,
    credentials: { admin: "cma_secret_key" },
    timing,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options
  })
  const events = client.logs.streamEvents(
    after === undefined ? {} : { query: { after } },
    signal === undefined ? {} : { signal }
  )
  const iterator = events[Symbol.asyncIterator]()
  onTestFinished(async () => {
    await iterator.return?.()
  })
  const next = async () => {
    const result = await iterator.next()
    return result.done === true ? undefined : result.value.sequence
  }
  return { timing, attempts, next, iterator }
}

const resumption = (request: { readonly target: string; readonly headers: Readonly<Record<string, unknown>> }) => [
  request.target,
  request.headers["last-event-id"]
]

describe("A stream of events", () => {
  it("returns events in order, from the position that the caller gives", async () => {
    const server = await serve(stream([HEARTBEAT, event(8), event(9)]))
    const { next } = listen(server.baseUrl, {}, 7)
    expect([await next(), await next()]).toEqual([8, 9])
    expect(server.requests.map(resumption)).toEqual([["/v1/admin/events?after=7", undefined]])
    expect(server.requests[0]?.headers).toMatchObject({
      accept: "text/event-stream",
      authorization: "Admin cma_secret_key"
    })
  })

  it.each(["cut", "end"] as const)("resumes after the last event: the connection was %s", async (end) => {
    const server = await serve(stream([event(8), event(9), "id: 10\nda"], end), stream([event(10)]))
    const { next, timing } = listen(server.baseUrl, {}, 7)
    expect([await next(), await next()]).toEqual([8, 9])
    const third = next()
    await timing.pass(250)
    expect(await third).toBe(10)
    expect(server.requests.map(resumption)).toEqual([
      ["/v1/admin/events?after=7", undefined],
      ["/v1/admin/events?after=7", "9"]
    ])
  })

  it("resumes where it began if the connection ends before the first event", async () => {
    const server = await serve(stream([":\nid: 7\n\n"], "end"), stream([event(8)]))
    const { next, timing } = listen(server.baseUrl)
    const first = next()
    await timing.pass(250)
    expect(await first).toBe(8)
    expect(server.requests.map(resumption)).toEqual([["/v1/admin/events", undefined], ["/v1/admin/events", "7"]])
  })

  it("replaces a connection that is silent for longer than the heartbeats of the server", async () => {
    const server = await serve(stream([HEARTBEAT, event(1)]), stream([event(2)]))
    const { attempts, next, timing } = listen(server.baseUrl)
    expect(await next()).toBe(1)
    const second = next()
    await timing.pass(45_000)
    await server.closed
    await timing.pass(250)
    expect(await second).toBe(2)
    expect(attempts.map(({ failure, retryIn }) => [failure?.name, retryIn])).toEqual([
      [undefined, null],
      ["TimeoutError", 250],
      [undefined, null]
    ])
  })

  it("waits longer each time that it cannot be opened again, and no longer than maxRetryDelay", async () => {
    const server = await serve(stream([event(1)], "end"), hangUp, hangUp, hangUp, hangUp, stream([event(2)]))
    const { next, timing } = listen(server.baseUrl, { maxRetryDelay: 3000 })
    expect(await next()).toBe(1)
    const second = next()
    for (const delay of [250, 250, 500, 1000, 1500]) {
      // oxlint-disable-next-line no-await-in-loop -- One attempt after another.
      await timing.pass(delay)
    }
    expect(await second).toBe(2)
  })

  it("waits longer each time that the connection ends before the first event", async () => {
    const greeting = stream([HEARTBEAT], "end")
    const server = await serve(greeting, greeting, greeting, stream([event(1)]))
    const { next, timing } = listen(server.baseUrl)
    const first = next()
    await timing.pass(250)
    await timing.pass(500)
    await timing.pass(1000)
    expect(await first).toBe(1)
  })

  it.each([429, 503])(
    "fails if it must wait for more than an hour, with the time in the error: %i",
    async (status) => {
      const server = await serve(
        stream([event(1)], "end"),
        refuse(status, "RATE_LIMITED", { "retry-after": "99999999" })
      )
      const { next, timing } = listen(server.baseUrl)
      expect(await next()).toBe(1)
      const failed = rejectionOf(next())
      await timing.pass(250)
      expect(await failed).toMatchObject({ status, retryAfter: 99_999_999 })
      expect(timing.asleep).toEqual([])
    }
  )

  it.each([
    ["404 of a proxy", answer(404, {}), 250],
    ["a redirect of a proxy", answer(302, {}, { location: "/maintenance" }), 250],
    ["a response that is not a stream", answer(200, {}), 250],
    ["an error of the API that it may not repeat", refuse(404, "NOT_FOUND"), 250],
    [
      "the time that a rate limit requires, also if it is longer than maxRetryDelay",
      refuse(429, "RATE_LIMITED", { "retry-after": "90" }),
      90_250
    ]
  ])("is opened again after %s", async (_, step, delay) => {
    const server = await serve(stream([event(1)], "end"), step, stream([event(2)]))
    const { next, timing } = listen(server.baseUrl)
    expect(await next()).toBe(1)
    const second = next()
    await timing.pass(250)
    await timing.pass(delay)
    expect(await second).toBe(2)
  })

  it("ends with the error if the key is revoked meanwhile", async () => {
    const server = await serve(stream([event(1)], "end"), refuse(401, "UNAUTHORIZED"))
    const { next, timing } = listen(server.baseUrl)
    expect(await next()).toBe(1)
    const second = next()
    await timing.pass(250)
    await expect(second).rejects.toMatchObject({ code: "UNAUTHORIZED" })
    expect(await next()).toBeUndefined()
  })

  it("fails like any call if it cannot be opened at first", async () => {
    const server = await serve(hangUp)
    const { next, timing } = listen(server.baseUrl)
    const first = next()
    const failed = rejectionOf(first)
    await timing.pass(250)
    await timing.pass(500)
    expect(await failed).toBeInstanceOf(ConnectionError)
    expect(server.requests).toHaveLength(3)
  })

  it("fails at once if the caller may not read it", async () => {
    const server = await serve(refuse(403, "MISSING_ACL"))
    await expect(listen(server.baseUrl).next()).rejects.toBeInstanceOf(ApiError)
  })

  it.each([
    ["a response that is not a stream", answer(200, {})],
    ["an event that is not JSON", stream(["data: {\n\n"])],
    ["an event that is too long", stream([`data: ${"x".repeat(2000)}`])],
    ["an id that no header can have", stream(["id: ☃\ndata: {}\n\n"])],
    ["an id that is no position", stream(["id: 1; x\ndata: {}\n\n"])],
    ["an id that is too long, of a block without data", stream(["id: 12345678901234567\n\n"])]
  ])("fails because of %s", async (_, step) => {
    const server = await serve(step)
    const { next } = listen(server.baseUrl, { maxResponseBytes: 1000 })
    await expect(next()).rejects.toBeInstanceOf(UnexpectedResponseError)
  })

  it("leaves no connection, timer or listener when its consumer leaves while it waits for the next event", async () => {
    const server = await serve(stream([event(1)]))
    const { signal } = new AbortController()
    const { iterator, next, timing } = listen(server.baseUrl, {}, 0, signal)
    expect(await next()).toBe(1)
    const second = next()
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(await second).toBeUndefined()
    await server.closed
    expect(timing.asleep).toEqual([])
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("is not opened again after its consumer left, and never if its consumer left before", async () => {
    const server = await serve(stream([event(1)], "end"))
    const { iterator, next, timing } = listen(server.baseUrl)
    expect(await next()).toBe(1)
    const second = next()
    await server.closed
    await iterator.return?.()
    expect([await second, await next()]).toEqual([undefined, undefined])
    expect(timing.asleep).toEqual([])

    const unused = listen(server.baseUrl)
    await unused.iterator.return?.()
    expect(await unused.next()).toBeUndefined()
    expect(server.requests).toHaveLength(1)
  })

  it("closes its connection at once if the signal is aborted while its consumer handles an event", async () => {
    const server = await serve(stream([event(1), event(2)]))
    const controller = new AbortController()
    const { next } = listen(server.baseUrl, {}, 0, controller.signal)
    expect(await next()).toBe(1)
    controller.abort("enough")
    await server.closed
    await expect(next()).rejects.toBe("enough")
  })

  it("ends with the reason of the signal, and closes its connection", async () => {
    const server = await serve(stream([event(1)]))
    const controller = new AbortController()
    const { next, timing } = listen(server.baseUrl, {}, 0, controller.signal)
    await next()
    const second = next()
    controller.abort()
    await expect(second).rejects.toMatchObject({ name: "AbortError" })
    await server.closed
    expect(timing.asleep).toEqual([])
  })

  it("ends with the reason of the signal also while it is opened, and while it waits", async () => {
    const server = await serve(ignore)
    const opening = new AbortController()
    const { next } = listen(server.baseUrl, {}, 0, opening.signal)
    const first = next()
    await server.arrived(1)
    opening.abort("not now")
    await expect(first).rejects.toBe("not now")

    const closing = await serve(stream([event(1)], "end"))
    const waiting = new AbortController()
    const other = listen(
      closing.baseUrl,
      {
        onAttempt: ({ failure }) => failure === null ? undefined : waiting.abort("not now")
      },
      0,
      waiting.signal
    )
    await other.next()
    await expect(other.next()).rejects.toBe("not now")
  })

  it("fails at once if the response is no stream, also if its body does not end", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-streaming" }).write(":\n\n")
    })
    const { next } = listen(server.baseUrl, { retries: 0 })
    await expect(next()).rejects.toThrow("this is no stream of events")
  })

  it("may have a media type in any case", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "Text/Event-Stream;charset=UTF-8" }).write(event(8))
    })
    expect(await listen(server.baseUrl).next()).toBe(8)
  })

  it("rejects with the error that a delegating generator throws into it, and closes its connection", async () => {
    const server = await serve(stream([event(8)]))
    const { iterator, next } = listen(server.baseUrl)
    expect(await next()).toBe(8)
    await expect(iterator.throw?.(new Error("thrown"))).rejects.toThrow("thrown")
    expect(await next()).toBeUndefined()
  })

  it("is opened for each loop, at whose end its connection is closed", async () => {
    const server = await serve(stream([event(1), event(2)]))
    const client = createClient({ baseUrl: server.baseUrl, credentials: { admin: "cma_secret_key" } })
    const events = client.logs.streamEvents()
    for (const loop of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop -- One loop after another.
      for await (const { sequence } of events) {
        expect(sequence).toBe(1)
        break
      }
      // oxlint-disable-next-line no-await-in-loop
      await server.closed
      expect(server.requests).toHaveLength(loop)
    }
  })
})
