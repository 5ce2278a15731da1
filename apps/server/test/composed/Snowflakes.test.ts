import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import * as Fixtures from "../http/Fixtures.ts"
import { send } from "../http/HttpClient.ts"
import { composed, noonMinus, noonPlus, temporaryDirectory } from "./ComposedServer.ts"

const POSTS = 50

const issue = { action: "created", data: { issue: { id: "1", title: "It broke" } } }

/** Posts notifications through the webhook, all at once. Returns the statuses. */
const post = (path: string) =>
  Effect.forEach(
    Array.from({ length: POSTS }),
    () => send(`${path}/sentry`, { body: issue }),
    { concurrency: "unbounded" }
  ).pipe(Effect.map((responses) => responses.map(({ status }) => status)))

/** The ids of the messages in the webhook's channel, in their order. */
const idsIn = ({ channelId }: Webhook) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    const found = yield* messages.inChannel({ channelId, before: Option.none(), limit: 10 * POSTS })
    return found.map(({ id }) => id).toSorted(Snowflake.compare)
  })

const ALL_POSTED = Array.from({ length: POSTS }, () => 204)

describe("a server that starts with its clock behind the last id", () => {
  it.scoped.each([["15 seconds"], ["1 day"]] as const)(
    "accepts every post, with larger ids: %s",
    ([behind]) =>
      Effect.gen(function*() {
        const settings = { DATA_DIR: yield* temporaryDirectory, RATE_LIMITS: "off" }
        // Before the server starts, whose background work wakes once a minute.
        yield* TestClock.setTime(noonPlus(behind))
        const given = yield* Effect.gen(function*() {
          const made = yield* Fixtures.webhook
          expect(yield* post(made.path)).toEqual(ALL_POSTED)
          return { ...made, before: yield* idsIn(made.webhook) }
        }).pipe(Effect.provide(composed(settings)))
        yield* TestClock.setTime(noonPlus(0))
        yield* Effect.gen(function*() {
          expect(yield* post(given.path)).toEqual(ALL_POSTED)
          const all = yield* idsIn(given.webhook)
          expect(all.slice(0, POSTS)).toEqual(given.before)
          expect(new Set(all).size).toBe(2 * POSTS)
        }).pipe(Effect.provide(composed(settings)))
      })
  )
})

describe("a server whose clock is set back while it runs", () => {
  it.scoped("accepts every post, with larger ids", () =>
    Effect.gen(function*() {
      const given = yield* Fixtures.webhook
      yield* post(given.path)
      const before = yield* idsIn(given.webhook)
      yield* TestClock.setTime(noonMinus("1 hour"))
      expect(yield* post(given.path)).toEqual(ALL_POSTED)
      const all = yield* idsIn(given.webhook)
      expect([all.length, all.slice(0, POSTS)]).toEqual([2 * POSTS, before])
    }).pipe(Effect.provide(composed({ RATE_LIMITS: "off" }))))
})
