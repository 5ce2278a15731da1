import { describe, expect, it } from "@effect/vitest"
import { Cause, Chunk, Effect, Exit, Fiber, Redacted, Stream, TestClock } from "effect"
import { expectTypeOf } from "vitest"
import { ApiError, type ApiErrorOf, ConnectionError, type TransportError } from "../../src/ClientError.ts"
import * as Client from "../../src/effect/Client.ts"
import type { Event, Webhook } from "../../src/Resources.ts"
import { answer, event, hangUp, ignore, refuse, serve, type Step, stream } from "../ScriptedServer.ts"

const credentials = { admin: Redacted.make("cma_secret"), bot: Redacted.make("cmb_secret") }
const path = { webhook_id: "1", token: "cmw_secret" }

const connect = (...steps: Parameters<typeof serve>) =>
  Effect.gen(function*() {
    const server = yield* Effect.promise(() => serve(...steps))
    let onRetry = () => {}
    const waiting = new Promise<void>((resolve) => {
      onRetry = resolve
    })
    const client = yield* Client.make({
      baseUrl: server.baseUrl,
      credentials,
      onAttempt: ({ retryIn }) => retryIn === null ? undefined : onRetry()
    })
    /** Waits until the client waits for its first retry. */
    const retrying = Effect.zipRight(
      Effect.promise(() => waiting),
      Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    )
    return { server, client, retrying }
  })

describe("The client with Effect", () => {
  it.effect("returns results, and fails with the errors of the operation by their codes", () =>
    Effect.gen(function*() {
      const { client } = yield* connect(answer(200, { id: "1" }), refuse(404, "UNKNOWN_WEBHOOK"))
      expect(yield* client.webhooks.update({ path, body: {} })).toEqual({ id: "1" })
      const recovered = client.webhooks.update({ path, body: {} }).pipe(
        Effect.catchTag("UNKNOWN_WEBHOOK", ({ status }) => Effect.succeed(status))
      )
      expect(yield* recovered).toBe(404)
    }))

  it("has the types of the operation", () => {
    expectTypeOf<Client.Operate["webhooks"]["update"]>().returns.toEqualTypeOf<
      Effect.Effect<
        Webhook,
        | TransportError
        | ApiErrorOf<
          | "ACCESS_DENIED"
          | "BAD_REQUEST"
          | "EXPECTATION_FAILED"
          | "HEADERS_TOO_LARGE"
          | "INTERNAL_SERVER_ERROR"
          | "INVALID_FORM_BODY"
          | "INVALID_JSON"
          | "METHOD_NOT_ALLOWED"
          | "NOT_FOUND"
          | "PAYLOAD_TOO_LARGE"
          | "RATE_LIMITED"
          | "REQUEST_TIMEOUT"
          | "SERVICE_UNAVAILABLE"
          | "UNKNOWN_WEBHOOK"
          | "UNSUPPORTED_MEDIA_TYPE"
        >
      >
    >()
    expectTypeOf<Stream.Stream.Success<ReturnType<Client.Operate["logs"]["streamEvents"]>>>().toEqualTypeOf<Event>()
  })

  it.effect("waits for its retries by the clock of Effect", () =>
    Effect.gen(function*() {
      const refusal = refuse(429, "RATE_LIMITED", { "retry-after": "20" })
      const { client, retrying, server } = yield* connect(refusal, answer(200, []))
      const listing = yield* Effect.fork(client.scheduledMessages.list())
      yield* retrying
      yield* TestClock.adjust("19999 millis")
      expect(server.requests).toHaveLength(1)
      yield* TestClock.adjust("501 millis")
      expect(yield* Fiber.join(listing)).toEqual([])
      expect(server.requests).toHaveLength(2)
    }))

  it.effect.each<readonly [what: string, step: Step, run: (client: Client.Operate) => Effect.Effect<unknown, unknown>]>(
    [
      ["a request", ignore, ({ scheduledMessages }) => scheduledMessages.list()],
      ["a stream in which nothing happens", stream([":\n\n"]), ({ logs }) => Stream.runDrain(logs.streamEvents())]
    ]
  )("closes the connection of %s when it is interrupted", ([, step, run]) =>
    Effect.gen(function*() {
      const { client, server } = yield* connect(step)
      const running = yield* Effect.fork(run(client))
      yield* Effect.promise(() => server.arrived(1))
      yield* Fiber.interrupt(running)
      yield* Effect.promise(() => server.closed)
      expect(server.requests).toHaveLength(1)
    }))

  it.effect("streams events, resumes, and closes its connection", () =>
    Effect.gen(function*() {
      const { client, retrying, server } = yield* connect(stream([event(1)], "cut"), stream([event(2), event(3)]))
      const listening = yield* Effect.fork(
        client.logs.streamEvents({ query: { after: 0 } }).pipe(
          Stream.map(({ sequence }) => sequence),
          Stream.take(2),
          Stream.runCollect
        )
      )
      yield* retrying
      yield* TestClock.adjust("500 millis")
      expect(Chunk.toReadonlyArray(yield* Fiber.join(listening))).toEqual([1, 2])
      expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "1"])
    }))

  const refuseEvent = Effect.fail("cannot handle it")

  it.effect.each<[string, (events: Stream.Stream<unknown, unknown>) => Effect.Effect<unknown, unknown>]>([
    ["has enough", Stream.runHead],
    ["fails", Stream.runForEach(() => refuseEvent)],
    ["is interrupted", Stream.runForEach(() => Effect.interrupt)]
  ])("closes the connection of a stream whose consumer %s", ([, consume]) =>
    Effect.gen(function*() {
      const { client, server } = yield* connect(stream([event(1), event(2)]))
      yield* Effect.exit(consume(client.logs.streamEvents({ query: { after: 0 } })))
      yield* Effect.promise(() => server.closed)
      expect(server.requests).toHaveLength(1)
    }))

  it.effect("fails a stream that cannot be opened", () =>
    Effect.gen(function*() {
      const { client } = yield* connect(refuse(403, "MISSING_ACL"))
      const failure = yield* Effect.flip(Stream.runDrain(client.logs.streamEvents()))
      expect(failure).toBeInstanceOf(ApiError)
      expect(failure).toMatchObject({ _tag: "MISSING_ACL" })
    }))

  it.effect("is a service", () =>
    Effect.gen(function*() {
      const server = yield* Effect.promise(() => serve(hangUp))
      const listed = Effect.flatMap(
        Client.Client,
        ({ scheduledMessages }) => scheduledMessages.list({}, { retries: 0 })
      )
      const failure = yield* Effect.flip(
        Effect.provide(listed, Client.layer({ baseUrl: server.baseUrl, credentials }))
      )
      expect(failure).toBeInstanceOf(ConnectionError)
    }))

  it.effect("dies if it is used in a wrong way", () =>
    Effect.gen(function*() {
      const { client } = yield* connect(ignore)
      const missing = yield* Effect.exit(client.webhooks.update({ path: { webhook_id: "1", token: ".." }, body: {} }))
      expect(Exit.isFailure(missing) && Cause.isDie(missing.cause)).toBe(true)
      const options = yield* Effect.exit(Client.make({ baseUrl: "nowhere" }))
      expect(Exit.isFailure(options) && Cause.isDie(options.cause)).toBe(true)
    }))
})
