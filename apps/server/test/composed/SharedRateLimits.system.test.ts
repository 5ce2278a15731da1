import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { send } from "../http/HttpClient.ts"
import { TestServer } from "../http/TestServer.ts"
import * as RedisServer from "../rate-limits/RedisServer.ts"
import { composed, type Settings } from "./ComposedServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"

/** Another server with these settings. */
const serverWith = (settings: Settings) =>
  Effect.map(Layer.build(composed({ RATE_LIMIT_AUTHENTICATION: "3/hour", ...settings })), (context) => {
    const server = Context.get(context, TestServer)
    return Effect.provideService(send(LIST), TestServer, server)
  })

describe.skipIf(RedisServer.isLeftOut)(`REDIS_URL${RedisServer.NEEDED}`, () => {
  it.scoped("is the Redis in which servers count together", () =>
    Effect.gen(function*() {
      const { url } = yield* RedisServer.started
      const [one, other] = yield* Effect.all([serverWith({ REDIS_URL: url }), serverWith({ REDIS_URL: url })])
      const responses = [yield* one, yield* other, yield* one, yield* other]
      expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 429])
      expect(responses.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["2", "1", "0", "0"])
      expect(Number(responses[3]?.headers["retry-after"])).toBeGreaterThan(3_500)
    }))

  it.scoped("is optional: each server counts alone without it", () =>
    Effect.gen(function*() {
      const [one, other] = yield* Effect.all([serverWith({}), serverWith({})])
      const responses = [yield* one, yield* other, yield* one, yield* other]
      expect(responses.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["2", "2", "1", "1"])
    }))
})
