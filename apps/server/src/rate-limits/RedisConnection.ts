import * as Deadline from "@community-messaging/event-loop/Deadline"
import type {
  Allowance,
  RateLimitCounters,
  Usage
} from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { Data, Duration, Effect, Option, Redacted, Schema, type Scope } from "effect"
import { Redis } from "ioredis"
import { createHash } from "node:crypto"
import { SCRIPTS } from "./CountingScript.ts"

/** The maximum time that a request waits for Redis. */
export const ANSWER_TIMEOUT = Duration.millis(50)

/** The maximum time to connect, including the password and the first answer. */
const CONNECT_TIMEOUT = Duration.seconds(1)

/** All keys begin with this. */
const PREFIX = "community-messaging:rate-limit"

/** Redis does not answer, or its answer is unexpected. The reason contains no credentials. */
export class RedisUnavailable extends Data.TaggedError("RedisUnavailable")<{ readonly reason: string }> {}

/** Counts in Redis. */
export type Count = (
  ...counted: Parameters<typeof RateLimitCounters.Service.count>
) => Effect.Effect<Usage, RedisUnavailable>

const Answer = Schema.Tuple(Schema.NonNegativeInt, Schema.NumberFromString, Schema.Literal(0, 1))
const decodeAnswer = Schema.decodeUnknownOption(Answer)

/** A key in Redis: it hides the counted principal, which may be an IP address. */
const keyOf = (bucket: string, key: string): string =>
  `${PREFIX}:${bucket}:${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`

const failure = (cause: unknown) =>
  new RedisUnavailable({ reason: cause instanceof Error ? cause.message : "unknown error" })

/** A client that connects once and queues nothing: its user handles failures. */
const clientOf = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const errors: Array<Error> = []
      const client = new Redis(Redacted.value(url), {
        connectionName: "community-messaging",
        connectTimeout: Duration.toMillis(CONNECT_TIMEOUT),
        // A connection that has failed ends at once: requests that wait on it have no deadline any more.
        disconnectTimeout: 0,
        enableOfflineQueue: false,
        enableReadyCheck: false,
        lazyConnect: true,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
        scripts: SCRIPTS
      })
      // The promises also reject, but not always with the reason.
      client.on("error", (error) => errors.push(error))
      return { client, errors }
    }),
    // Does not wait for Redis, which may hang.
    ({ client }) => Effect.sync(() => client.disconnect())
  )

const usageOf = (answer: unknown): Effect.Effect<Usage, RedisUnavailable> =>
  Option.match(decodeAnswer(answer), {
    onNone: () => Effect.fail(new RedisUnavailable({ reason: "unexpected answer" })),
    onSome: ([count, expiresInMillis, counted]) => Effect.succeed({ count, expiresInMillis, isCounted: counted === 1 })
  })

const noAnswer = (duration: Duration.Duration) =>
  new RedisUnavailable({ reason: `no answer within ${Duration.format(duration)}` })

/** What a new connection counts, to check that Redis counts. */
const PROBE = { key: `${PREFIX}:connected`, allowance: { limit: 1_000_000, windowMillis: 1_000 } } as const

/** Connects, and checks that Redis counts as fast as requests need. The connection ends with the scope. */
export const connect = (url: Redacted.Redacted): Effect.Effect<Count, RedisUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const { client, errors } = yield* clientOf(url)
    const deadlines = yield* Deadline.make(ANSWER_TIMEOUT)
    const connected = Effect.tryPromise({ try: () => client.connect(), catch: (cause) => failure(errors[0] ?? cause) })
    // A Redis that answers may be loading, read-only, full, or deny us writes.
    const counted = Effect.tryPromise({
      try: () => client.countRateLimit(PROBE.key, PROBE.allowance.limit, PROBE.allowance.windowMillis, 1),
      catch: (cause) => failure(errors[0] ?? cause)
    })
    // A database that does not exist is only an event: the driver then counts in the default one.
    const selected = Effect.suspend(() => errors[0] === undefined ? Effect.void : failure(errors[0]))
    yield* Effect.zipRight(connected, Effect.zipRight(Effect.flatMap(counted, usageOf), selected)).pipe(
      Effect.timeoutFail({ duration: CONNECT_TIMEOUT, onTimeout: () => noAnswer(CONNECT_TIMEOUT) })
    )
    // Without a race of fibers, which would cost as much as the rest of the request.
    const count = (key: string, { limit, windowMillis }: Allowance, amount: number) =>
      Effect.async<Usage, RedisUnavailable>((resume) => {
        const deadline = deadlines(() => {
          // An answer that arrived while this process was busy is read before the end of this turn of the event loop.
          setImmediate(() => settle(Effect.fail(noAnswer(ANSWER_TIMEOUT))))
        })
        const settle = (answer: Effect.Effect<Usage, RedisUnavailable>) => {
          deadline.end()
          resume(answer)
        }
        deadline.begin()
        client.countRateLimit(key, limit, windowMillis, amount).then(
          (answer) => settle(usageOf(answer)),
          (cause: unknown) => settle(Effect.fail(failure(cause)))
        )
      })
    // Now that Redis has the script, it must answer as fast as requests need. Otherwise each connection would begin an outage.
    yield* count(PROBE.key, PROBE.allowance, 1)
    return (bucket, key, allowance, amount) => count(keyOf(bucket, key), allowance, amount)
  })
