import { Effect, Redacted } from "effect"
import * as Setting from "../configuration/Setting.ts"
import * as RedisConnection from "../rate-limits/RedisConnection.ts"
import { type Finding, ok, warning } from "./Finding.ts"

/** Checks that Redis counts, by a key that expires after a second. */
export const counting = (url: Redacted.Redacted): Effect.Effect<Finding> => {
  const location = Setting.withoutUserInfo(Redacted.value(url))
  return Effect.match(Effect.scoped(RedisConnection.connect(url)), {
    onSuccess: () => ok("redis", `${location} counts`),
    onFailure: ({ reason }) =>
      warning("redis", `${location}: ${reason}`, "check REDIS_URL. Without it, each server counts requests alone")
  })
}
