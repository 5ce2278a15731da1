import { RateLimitCounters } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { Deferred, Duration, Effect, Layer, type Redacted } from "effect"
import * as RateLimitMetrics from "./RateLimitMetrics.ts"
import { connect, type Count, type RedisUnavailable } from "./RedisConnection.ts"

/** How long this process counts alone before it tries Redis again. */
const RETRY_INTERVAL = Duration.seconds(1)

/** A connection in use, and an effect that completes when it fails. */
interface Session {
  readonly count: Count
  readonly failed: Deferred.Deferred<RedisUnavailable>
}

const beginOutage = ({ reason }: RedisUnavailable) =>
  Effect.logWarning("Redis does not answer: this server counts rate limits alone until it does").pipe(
    Effect.annotateLogs({ reason }),
    Effect.zipLeft(RateLimitMetrics.countOutage)
  )

const endOutage = Effect.zipLeft(
  Effect.logInfo("Redis answers: rate limits are counted together with other servers"),
  RateLimitMetrics.countShared
)

/**
 * Counts in Redis, together with all servers on the same Redis. If Redis does not answer, requests continue: this process
 * counts them alone, and tries Redis again every second. Only requests at the beginning of an outage wait for Redis, at most
 * `ANSWER_TIMEOUT`.
 */
export const layer = (url: Redacted.Redacted): Layer.Layer<RateLimitCounters> =>
  Layer.scoped(
    RateLimitCounters,
    Effect.gen(function*() {
      const alone = yield* RateLimitCounters
      const tried = yield* Deferred.make<void>()
      let current: Session | undefined
      let isOutage = false

      /** Uses a connection until it fails. Returns why. */
      const session: Effect.Effect<RedisUnavailable> = Effect.gen(function*() {
        const count = yield* connect(url)
        const failed = yield* Deferred.make<RedisUnavailable>()
        yield* endOutage
        isOutage = false
        current = { count, failed }
        yield* Deferred.succeed(tried, undefined)
        return yield* Deferred.await(failed)
      }).pipe(Effect.scoped, Effect.merge)

      const sessions = Effect.gen(function*() {
        const reason = yield* session
        if (!isOutage) yield* beginOutage(reason)
        isOutage = true
        yield* Deferred.succeed(tried, undefined)
        yield* Effect.sleep(RETRY_INTERVAL)
      })
      yield* Effect.forkScoped(Effect.forever(sessions))
      yield* Deferred.await(tried)

      return {
        count: (bucket, key, allowance, amount) =>
          Effect.suspend(() => {
            if (current === undefined) return alone.count(bucket, key, allowance, amount)
            const { count, failed } = current
            return Effect.catchAll(count(bucket, key, allowance, amount), (error) => {
              // In one step: if the request were interrupted between these, this process would count alone for ever.
              if (current?.count === count) current = undefined
              Deferred.unsafeDone(failed, Effect.succeed(error))
              return alone.count(bucket, key, allowance, amount)
            })
          })
      }
    })
  ).pipe(Layer.provide(RateLimitCounters.layerMemory))
