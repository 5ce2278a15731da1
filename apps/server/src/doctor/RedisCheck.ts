import { Effect, Option, Redacted } from "effect"
import * as Setting from "../configuration/Setting.ts"
import * as RedisConnection from "../rate-limits/RedisConnection.ts"
import { type Finding, ok, warning } from "./Finding.ts"

/** Checks that Redis counts, by a key that expires after a second. Finds nothing if no Redis is configured. */
export const counting = (redisUrl: Option.Option<Redacted.Redacted>): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.forEach(Option.toArray(redisUrl), (url) => {
    const location = Setting.withoutUserInfo(Redacted.value(url))
    return Effect.match(Effect.scoped(RedisConnection.connect(url)), {
      onSuccess: () => ok("redis", `${location} counts`),
      onFailure: ({ reason }) =>
        warning("redis", `${location}: ${reason}`, "check REDIS_URL. Without it, each server counts requests alone")
    })
  })
