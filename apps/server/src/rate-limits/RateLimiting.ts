import { RateLimitCounters, RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { Effect, Layer, Option } from "effect"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import * as ProgramPart from "../ProgramPart.ts"
import * as RateLimitMetrics from "./RateLimitMetrics.ts"

type Settings = Pick<ServerConfiguration, "rateLimiting" | "rateLimits" | "redisUrl">

/** The configured rate limits: counted in Redis, in memory, or not at all. The client of Redis is loaded if it is needed. */
export const layer = ({ rateLimiting, rateLimits, redisUrl }: Settings): Layer.Layer<RateLimits> => {
  if (!rateLimiting) return RateLimits.layerOff
  const counters = Option.match(redisUrl, {
    onNone: () => RateLimitCounters.layerMemory,
    onSome: (url) =>
      Layer.unwrapEffect(
        Effect.map(ProgramPart.load(() => import("./RateLimitCountersRedis.ts")), (redis) => redis.layer(url))
      )
  })
  return RateLimits.layerWithoutCounters(rateLimits).pipe(
    Layer.provide(counters),
    Layer.provide(Layer.effectDiscard(RateLimitMetrics.register))
  )
}
