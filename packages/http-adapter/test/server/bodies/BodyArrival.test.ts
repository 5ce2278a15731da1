import { BYTES_PER_TURN, ByteTurns, MILLIS_PER_TURN } from "@community-messaging/event-loop/ByteTurns"
import * as Deadline from "@community-messaging/event-loop/Deadline"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { type Accepted, arrive, PACE } from "@community-messaging/http-adapter/server/bodies/BodyArrival"
import * as BodyMemory from "@community-messaging/http-adapter/server/bodies/BodyMemory"
import * as BodyReader from "@community-messaging/http-adapter/server/bodies/BodyReader"
import { RateLimitCounters, RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { MAX_DEPTH, MAX_NUMBER_LENGTH } from "@community-messaging/json-reader/JsonReader"
import * as Projection from "@community-messaging/json-reader/Projection"
import { describe, expect, it, vi } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Schema, TestClock } from "effect"
import { createServer, IncomingMessage, request } from "node:http"
import { Socket } from "node:net"
import { listening, portOf } from "../Exchanged.ts"

const ACCEPTED: Accepted = {
  limit: 1024 * 1024,
  formAdvice: Option.none(),
  projection: Projection.of(Schema.Struct({ a: Schema.String }))
}

/** A request with a body that the test writes, and the message that a server receives. */
const exchange = Effect.gen(function*() {
  const arrived = yield* Deferred.make<IncomingMessage>()
  const server = yield* listening(createServer((source) => Deferred.unsafeDone(arrived, Effect.succeed(source))))
  const outgoing = request({
    port: portOf(server),
    host: "127.0.0.1",
    method: "POST",
    headers: { "content-type": "application/json", "transfer-encoding": "chunked" }
  })
  // It is closed without a response.
  outgoing.on("error", () => {})
  yield* Effect.addFinalizer(() => Effect.sync(() => outgoing.destroy()))
  outgoing.flushHeaders()
  const source = yield* Deferred.await(arrived)
  let received = 0
  source.on("data", (piece: Uint8Array) => {
    received += piece.length
  })
  source.pause()
  /** Writes a text, and waits until the server has received it. */
  const write = (text: string) =>
    Effect.async<void>((resume) => {
      const expected = received + text.length
      const look = () => {
        if (received < expected) return
        source.off("data", look)
        resume(Effect.void)
      }
      source.on("data", look)
      outgoing.write(text)
    })
  return { source, write, end: Effect.sync(() => outgoing.end()) }
})

const reader = Effect.provide(BodyReader.make(BodyMemory.DEFAULT_LIMITS), RateLimits.layerOff)

const reading = (source: IncomingMessage, lease: BodyMemory.Lease) =>
  Effect.flatMap(reader, ({ read }) => Effect.fork(Effect.flip(read(source, ACCEPTED, () => lease))))

/** A request: the parser has read its whole body, but has not reported its end. */
const arrived = (body: string): IncomingMessage => {
  const source = new IncomingMessage(new Socket())
  source.headers["content-length"] = String(Buffer.byteLength(body))
  source.push(Buffer.from(body))
  return source
}

const lease = () => new BodyMemory.BodyMemory(BodyMemory.DEFAULT_LIMITS).lease("user:1")

describe("A body that has arrived as a whole", () => {
  const read = (body: string, accepted = ACCEPTED) =>
    Effect.either(Effect.flatMap(reader, (bodies) => bodies.read(arrived(body), accepted, lease)))

  it("is read at once, and only what its schema reads is kept", () => {
    const source = arrived(`{"a":"é","b":1}`)
    const atOnce = Effect.scoped(Effect.flatMap(reader, (bodies) => bodies.read(source, ACCEPTED, lease)))
    // Fails if it has to wait for anything.
    expect(Effect.runSync(atOnce)).toEqual({ a: "é" })
    expect(source.readableLength).toBe(0)
  })

  it.scoped("is refused if it is not JSON, or larger than its limit", () =>
    Effect.gen(function*() {
      expect(yield* read(`{"a":"`)).toMatchObject({ left: { code: "INVALID_JSON" } })
      expect(yield* read(`{"a":"b"}`, { ...ACCEPTED, limit: 8 })).toMatchObject({ left: { code: "PAYLOAD_TOO_LARGE" } })
    }))

  it.scoped("is refused with the reason if it is nested too deep, or has a number that is too long", () =>
    Effect.gen(function*() {
      expect(yield* read(`{"b":${"[".repeat(MAX_DEPTH)}`)).toMatchObject({
        left: { code: "INVALID_JSON", message: "The body is nested more than 64 levels deep." }
      })
      expect(yield* read(`{"b":${"1".repeat(MAX_NUMBER_LENGTH + 1)}}`)).toMatchObject({
        left: { code: "INVALID_JSON", message: "The body has a number of more than 4096 characters." }
      })
    }))

  it.scoped("is read in turns if it is not small", () =>
    Effect.gen(function*() {
      const text = "x".repeat(100_000)
      const source = arrived(JSON.stringify({ a: text }))
      source.push(null)
      const fiber = yield* Effect.fork((yield* reader).read(source, ACCEPTED, lease))
      yield* Effect.yieldNow()
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      expect(yield* Fiber.join(fiber)).toEqual({ a: text })
    }))

  it.scoped("is not treated as complete if only its first part has arrived", () =>
    Effect.gen(function*() {
      const source = arrived(`{"a":"`)
      source.headers["content-length"] = "9"
      const fiber = yield* Effect.fork((yield* reader).read(source, ACCEPTED, lease))
      yield* Effect.yieldNow()
      source.push(`b"}`)
      source.push(null)
      expect(yield* Fiber.join(fiber)).toEqual({ a: "b" })
    }))
})

describe("A body that arrives", () => {
  it.scoped("is refused with 408 after ten seconds in which fewer than 10 KiB arrived", () =>
    Effect.gen(function*() {
      const { source, write } = yield* exchange
      const fiber = yield* reading(source, lease())
      source.resume()
      yield* write(`{"a":"`)
      yield* TestClock.adjust("9 seconds")
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      yield* TestClock.adjust("1 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ code: "REQUEST_TIMEOUT" })
    }))

  it.scoped("is refused beyond the quota, also if that is counted elsewhere and the body ends before the answer", () =>
    Effect.gen(function*() {
      const { end, source, write } = yield* exchange
      const counted = yield* Deferred.make<void>()
      const far = RateLimits.layerWithoutCounters({ body: { limit: 1, window: "1 hour" } }).pipe(
        Layer.provide(Layer.succeed(RateLimitCounters, {
          count: () => Effect.as(Deferred.await(counted), { count: 1, expiresInMillis: 1000, isCounted: false })
        }))
      )
      const { read } = yield* Effect.provide(BodyReader.make(BodyMemory.DEFAULT_LIMITS), far)
      const fiber = yield* Effect.fork(Effect.flip(read(source, ACCEPTED, lease)))
      yield* Effect.yieldNow()
      source.resume()
      yield* write(`{"a":"${"x".repeat(300 * 1024)}"}`)
      yield* end
      yield* Effect.async<void>((resume) => void source.once("close", () => resume(Effect.void)))
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      yield* Deferred.succeed(counted, undefined)
      expect(yield* Fiber.join(fiber)).toMatchObject({ error: { code: "RATE_LIMITED" } })
    }))

  it.scoped("may take any time if 10 KiB arrive in every ten seconds", () =>
    Effect.gen(function*() {
      const { source, write } = yield* exchange
      const fiber = yield* reading(source, lease())
      source.resume()
      yield* write(`{"a":"`)
      for (let window = 0; window < 5; window += 1) {
        yield* write("x".repeat(10 * 1024))
        yield* TestClock.adjust("10 seconds")
        expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      }
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ code: "REQUEST_TIMEOUT" })
    }))

  it.scoped("must have 1 MiB in every ten seconds while it keeps memory of which little is left", () =>
    Effect.gen(function*() {
      const { source, write } = yield* exchange
      const memory = new BodyMemory.BodyMemory({ total: 1_000_000, perPrincipal: 900_000 })
      const fiber = yield* reading(source, memory.lease("user:1"))
      source.resume()
      yield* write(`{"a":"${"x".repeat(600_000)}`)
      yield* Effect.repeat(nextTurn, { until: () => memory.total > 500_000 })
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ code: "REQUEST_TIMEOUT" })
    }))

  it.scoped("may be slower if enough memory is left for others", () =>
    Effect.gen(function*() {
      const { source, write } = yield* exchange
      const memory = new BodyMemory.BodyMemory({ total: 1_300_000, perPrincipal: 900_000 })
      const fiber = yield* reading(source, memory.lease("user:1"))
      source.resume()
      yield* write(`{"a":"${"x".repeat(600_000)}`)
      yield* Effect.repeat(nextTurn, { until: () => memory.total > 500_000 })
      yield* TestClock.adjust("10 seconds")
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
    }))

  it.scoped("is refused for lack of memory when it has arrived, and takes no more memory until then", () =>
    Effect.gen(function*() {
      const { end, source, write } = yield* exchange
      const memory = new BodyMemory.BodyMemory({ total: 300_000, perPrincipal: 200_000 })
      const fiber = yield* reading(source, memory.lease("user:1"))
      source.resume()
      yield* write(`{"a":"`)
      for (let count = 0; count < 8; count += 1) yield* write("x".repeat(100_000))
      expect(memory.total).toBeLessThanOrEqual(200_000)
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      yield* write("\"}")
      yield* end
      expect(yield* Fiber.join(fiber)).toMatchObject({ code: "RATE_LIMITED", retry_after: 5 })
    }))

  it.scoped("leaves turns to others also if its chunks have one byte", () =>
    Effect.gen(function*() {
      const { source } = yield* exchange
      const fiber = yield* Effect.fork((yield* reader).read(source, ACCEPTED, lease))
      yield* Effect.yieldNow()
      source.resume()
      // Like the parser with chunks that arrive together.
      for (const byte of `{"a":"${"x".repeat(4_000)}"}`) source.emit("data", Buffer.from(byte))
      expect(source.isPaused()).toBe(true)
      source.emit("end")
      expect(yield* Fiber.join(fiber)).toEqual({ a: "x".repeat(4_000) })
    }))

  it.scoped("leaves turns to others while it is read slowly, also within one piece", () =>
    Effect.gen(function*() {
      const { source } = yield* exchange
      let now = 0
      const slowly = () => {
        now += MILLIS_PER_TURN
        return now
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(performance, "now").mockImplementation(slowly)),
        (clock) => Effect.sync(() => clock.mockRestore())
      )
      const paces = yield* Deadline.make(PACE.window)
      const turns = new ByteTurns()
      const fiber = yield* Effect.fork(arrive(source, ACCEPTED, 0, lease(), () => Effect.void, turns, paces))
      yield* Effect.yieldNow()
      source.resume()
      source.emit("data", Buffer.from(`{"a":"${"x".repeat(32 * 1024)}"}`))
      expect(source.isPaused()).toBe(true)
      source.emit("end")
      expect(yield* Fiber.join(fiber)).toEqual({ a: "x".repeat(32 * 1024) })
    }))

  it.scoped("is not too slow if it has arrived, and its last piece waits for a turn", () =>
    Effect.gen(function*() {
      const { source } = yield* exchange
      const pace = { expire: () => {} }
      const paces: Deadline.Deadlines = (expire) => ({
        begin: () => {
          pace.expire = expire
        },
        end: () => {
          pace.expire = () => {}
        }
      })
      const turns = new ByteTurns()
      const fiber = yield* Effect.fork(arrive(source, ACCEPTED, 0, lease(), () => Effect.void, turns, paces))
      yield* Effect.yieldNow()
      source.emit("data", Buffer.from(`{"a":"${"x".repeat(32 * 1024)}`))
      pace.expire()
      turns.run(BYTES_PER_TURN, () => {})
      source.emit("data", Buffer.from("\"}"))
      source.emit("end")
      pace.expire()
      expect(yield* Fiber.join(fiber)).toEqual({ a: "x".repeat(32 * 1024) })
    }))

  it.scoped("takes no memory after its end or its interruption, also if a piece waits for its turn", () =>
    Effect.gen(function*() {
      const { source, write } = yield* exchange
      const memory = new BodyMemory.BodyMemory(BodyMemory.DEFAULT_LIMITS)
      const taken = memory.lease("user:1")
      const fiber = yield* reading(source, taken)
      source.resume()
      yield* write(`{"a":"${"x".repeat(500_000)}`)
      expect(memory.total).toBeGreaterThan(0)
      yield* Fiber.interrupt(fiber)
      taken.release()
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))
      expect(memory.total).toBe(0)
    }))
})
