import { yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { describe, expect, it } from "@effect/vitest"
import {
  Array as Arrays,
  Context,
  Effect,
  Either,
  Fiber,
  HashMap,
  Layer,
  Logger,
  Option,
  Redacted,
  TestClock
} from "effect"
import { Redis } from "ioredis"
import { connect, createServer, type Server as SocketServer } from "node:net"
import * as Doctor from "../../src/doctor/Doctor.ts"
import * as RateLimitCountersRedis from "../../src/rate-limits/RateLimitCountersRedis.ts"
import * as RedisConnection from "../../src/rate-limits/RedisConnection.ts"
import { within } from "../composed/ComposedServer.ts"
import * as RedisServer from "./RedisServer.ts"

const LIMITS = {
  consent: { limit: 3, window: "1 hour" },
  // The share of one request is not a whole number of milliseconds.
  "member-search": { limit: 7, window: "1 hour" },
  "webhook-avatar": { limit: 1_000_000, window: "1 hour" }
} as const

/** The rate limits of another server on this Redis. */
const serverOn = (url: string) =>
  Effect.map(
    Layer.build(Layer.provide(
      RateLimits.layerWithoutCounters(LIMITS),
      RateLimitCountersRedis.layer(Redacted.make(url))
    )),
    (context) => Context.get(context, RateLimits)
  )

type Server = Effect.Effect.Success<ReturnType<typeof serverOn>>

const consent = (server: Server, key = "user:1") =>
  Effect.map(Effect.either(server.count("consent", key)), Either.map((quota) => quota()["x-ratelimit-remaining"]))

const remaining = (count: number) => Either.right(String(count))

/** A logger, and the texts of its messages, each with its level and reason. */
const logging = Effect.sync(() => {
  const messages: Array<string> = []
  const logger = Logger.make(({ annotations, logLevel, message }) => {
    const reason = Option.getOrElse(HashMap.get(annotations, "reason"), () => "")
    messages.push(`${logLevel.label} ${String(message)} ${String(reason)}`.trim())
  })
  return { messages, logger: Logger.replace(Logger.defaultLogger, logger) }
})

/** A proxy before that Redis, which passes its answers on a tenth of a second later. */
const slowly = (url: string) =>
  Effect.acquireRelease(
    Effect.async<SocketServer>((resume) => {
      const { hostname, port } = new URL(url)
      const server = createServer((near) => {
        const far = connect(Number(port), hostname).on("data", (data) => setTimeout(() => near.write(data), 100))
        near.on("error", () => {}).on("close", () => far.destroy()).pipe(far)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => {
    const slow = new URL(url)
    const address = server.address()
    slow.port = String(typeof address === "object" && address !== null ? address.port : 0)
    return slow.href
  }))

describe.skipIf(RedisServer.isLeftOut)(`Rate limits in Redis${RedisServer.NEEDED}`, () => {
  it.scoped("are one quota for all servers, with the headers of one", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const [one, other] = yield* Effect.all([serverOn(redis.url), serverOn(redis.url)])
      expect(yield* consent(one)).toEqual(remaining(2))
      expect(yield* consent(other)).toEqual(remaining(1))
      expect(yield* consent(one)).toEqual(remaining(0))
      const { headers } = yield* Effect.flip(other.count("consent", "user:1"))
      expect(headers).toMatchObject({ "x-ratelimit-limit": "3", "x-ratelimit-remaining": "0" })
      expect(Number(headers["x-ratelimit-reset-after"])).toBeGreaterThan(3_500)
      expect(Number(headers["x-ratelimit-reset-after"])).toBeLessThanOrEqual(3_600)
      expect(yield* consent(other, "user:2")).toEqual(remaining(2))
    }))

  it.scoped("are not counted in another database than that of the URL", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const elsewhere = redis.url.replace(/\d+$/, "99")
      const { reason } = yield* Effect.flip(RedisConnection.connect(Redacted.make(elsewhere)))
      expect(reason).toContain("DB index is out of range")
    }))

  it.scoped("are checked by the doctor", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const examined = Effect.map(
        Doctor.redis(Redacted.make(redis.url)),
        ({ found, level }) => [level, found.includes("secret")]
      )
      expect(yield* examined).toEqual(["ok", false])
      yield* redis.kill
      expect(yield* examined).toEqual(["warning", false])
    }))

  it.scoped("count exactly, at once and by cost, if a request's share of the window has fractions", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const servers = yield* Effect.all([serverOn(redis.url), serverOn(redis.url)])
      const attempts = Array.from({ length: 20 }, (_, index) => servers[index % 2] ?? servers[0])
      const counted = yield* Effect.forEach(
        attempts,
        (server) => Effect.either(server.count("member-search", "user:1:2")),
        { concurrency: "unbounded" }
      )
      expect(counted.filter(Either.isRight)).toHaveLength(7)
      const [one, other] = servers
      const quota = yield* one.count("webhook-avatar", "webhook:1", 400_000)
      expect(quota()).toMatchObject({ "x-ratelimit-remaining": "600000" })
      const { headers } = yield* Effect.flip(other.count("webhook-avatar", "webhook:1", 600_001))
      expect(headers["x-ratelimit-remaining"]).toBe("600000")
      expect(Number(headers["x-ratelimit-reset-after"])).toBeGreaterThan(20 * 60)
      expect(Number(headers["x-ratelimit-reset-after"])).toBeLessThanOrEqual(24 * 60)
    }))

  it.scoped("store entries that contain no address and that expire", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const server = yield* serverOn(redis.url)
      yield* server.count("authentication", "203.0.113.77")
      yield* server.count("consent", "user:4242")
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => new Redis(redis.url)),
        (opened) => Effect.sync(() => opened.disconnect())
      )
      const keys = yield* Effect.promise(() => client.keys("*"))
      const counters = keys.filter((key) => /:(authentication|consent):/.test(key)).sort()
      expect(counters).toHaveLength(2)
      expect(keys.every((key) => key.startsWith("community-messaging:rate-limit:"))).toBe(true)
      const values = yield* Effect.promise(() => client.mget(counters))
      expect([...keys, ...values].join(" ")).not.toMatch(/203\.0\.113\.77|4242/)
      const lifetimes = yield* Effect.promise(() => Promise.all(counters.map((key) => client.pttl(key))))
      for (const lifetime of lifetimes) expect(lifetime).toBeGreaterThan(0)
    }))

  it.scoped("are counted together also where another program has written something else", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const [one, other] = yield* Effect.all([serverOn(redis.url), serverOn(redis.url)])
      yield* consent(one)
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => new Redis(redis.url)),
        (opened) => Effect.sync(() => opened.disconnect())
      )
      const [key = ""] = yield* Effect.promise(() => client.keys("*:consent:*"))
      yield* Effect.promise(() => client.multi().del(key).lpush(key, "something else").exec())
      expect(yield* consent(one)).toEqual(remaining(2))
      expect(yield* consent(other)).toEqual(remaining(1))
    }))

  it.scoped("are counted alone while Redis is down, with one warning, and together when it is back", () =>
    Effect.gen(function*() {
      const { logger, messages } = yield* logging
      yield* Effect.gen(function*() {
        const redis = yield* RedisServer.started
        const [one, other] = yield* Effect.all([serverOn(redis.url), serverOn(redis.url)])
        yield* Effect.replicateEffect(consent(one), 3)
        yield* redis.kill
        messages.length = 0
        expect(yield* Effect.replicateEffect(consent(one), 3)).toEqual([2, 1, 0].map(remaining))
        expect(Either.isLeft(yield* consent(one))).toBe(true)
        expect(yield* consent(other)).toEqual(remaining(2))
        // Meanwhile, its attempts to connect fail.
        yield* within("5 seconds", Effect.void, () => false)
        expect(messages).toHaveLength(2)
        for (const message of messages) {
          expect(message).toMatch(/^WARN Redis does not answer: this server counts rate limits alone until it does \w/)
          expect(message).not.toContain("word")
        }

        yield* redis.start
        yield* within("20 seconds", Effect.sync(() => messages.length), (count) => count === 4)
        expect(messages.slice(2)).toEqual(
          Array.from({ length: 2 }, () => "INFO Redis answers: rate limits are counted together with other servers")
        )
        expect(yield* consent(one, "user:9")).toEqual(remaining(2))
        expect(yield* consent(other, "user:9")).toEqual(remaining(1))
      }).pipe(Effect.provide(logger))
    }))

  it.scoped("are counted together again, before whatever step the request is interrupted that noticed that Redis is down", () =>
    Effect.gen(function*() {
      const { logger, messages } = yield* logging
      yield* Effect.gen(function*() {
        const redis = yield* RedisServer.started
        const server = yield* serverOn(redis.url)
        for (const step of Arrays.range(1, 20)) {
          yield* redis.kill
          messages.length = 0
          yield* Effect.flatMap(yieldingBefore(step, consent(server)), Fiber.await)
          yield* consent(server)
          yield* redis.start
          yield* within("5 seconds", Effect.sync(() => messages.length), (count) => count === 2)
          expect([step, messages.at(-1)]).toEqual([step, expect.stringMatching(/^INFO Redis answers/)])
        }
      }).pipe(Effect.provide(logger))
    }))

  it.scoped("wait at most 50 milliseconds for a Redis that hangs, and only once", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const server = yield* serverOn(redis.url)
      yield* consent(server)
      yield* redis.halt
      const waiting = yield* Effect.fork(Effect.all([consent(server), consent(server)], { concurrency: 2 }))
      yield* within("49 millis", Fiber.poll(waiting), Option.isSome)
      expect(Option.isNone(yield* Fiber.poll(waiting))).toBe(true)
      yield* TestClock.adjust("1 millis")
      expect((yield* Fiber.join(waiting)).map(Either.isRight)).toEqual([true, true])
      // The test's clock does not move: no request waits any more.
      expect(yield* consent(server)).toEqual(remaining(0))
      yield* redis.resume
      yield* within("20 seconds", consent(server, "user:5"), () => false)
      // Its last count is shared with the other server.
      const other = yield* serverOn(redis.url)
      expect(Either.isLeft(yield* consent(other, "user:5"))).toBe(true)
    }))

  it.scoped("wait no longer if they begin to wait shortly before others learn that Redis hangs", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const server = yield* serverOn(redis.url)
      yield* redis.halt
      const first = yield* Effect.fork(consent(server))
      yield* TestClock.adjust("25 millis")
      const later = yield* Effect.fork(consent(server, "user:2"))
      yield* TestClock.adjust("25 millis")
      // In real time: the end of the connection releases the later one, and the driver knows only the real clock.
      const waited = Fiber.joinAll([first, later]).pipe(Effect.timeoutOption("1 second"), Effect.withClock(realTime))
      expect(Option.isSome(yield* waited)).toBe(true)
    }))

  it.scopedLive("are not counted by a Redis that is always slower than requests wait", () =>
    Effect.gen(function*() {
      const redis = yield* RedisServer.started
      const slow = yield* slowly(redis.url)
      const { reason } = yield* Effect.flip(RedisConnection.connect(Redacted.make(slow)))
      expect(reason).toBe("no answer within 50ms")
    }))

  it.scoped("do not prevent a server from starting if Redis is down or refuses it", () =>
    Effect.gen(function*() {
      const { logger, messages } = yield* logging
      yield* Effect.gen(function*() {
        const redis = yield* RedisServer.started
        const refused = yield* serverOn(redis.url.replace("a%3Asecret", "another"))
        expect(yield* consent(refused)).toEqual(remaining(2))
        yield* redis.kill
        const early = yield* serverOn(redis.url)
        expect(yield* consent(early)).toEqual(remaining(2))
        const warnings = messages.filter((text) => text.startsWith("WARN"))
        expect(warnings).toHaveLength(2)
        expect(warnings[0]).toMatch(/WRONGPASS/)
        expect(warnings[1]).toMatch(/ECONNREFUSED/)
        expect(messages.join()).not.toMatch(/another|secret/)
      }).pipe(Effect.provide(logger))
    }))
})
