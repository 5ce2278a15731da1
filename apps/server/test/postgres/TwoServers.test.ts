import { Credentials } from "@community-messaging/domain/access/Credentials"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Queue, Redacted } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { composedLive } from "../composed/ComposedServer.ts"
import { expectError } from "../http/Expectations.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send } from "../http/HttpClient.ts"
import * as ServerSentEvents from "../http/ServerSentEvents.ts"

type Server = Layer.Layer.Success<ReturnType<typeof composedLive>>

/** Two servers on one PostgreSQL database. */
class TwoServers extends Context.Tag("@community-messaging/server/test/TwoServers")<TwoServers, {
  readonly first: Context.Context<Server>
  readonly second: Context.Context<Server>
}>() {
  static readonly layer = Layer.scoped(
    TwoServers,
    Effect.gen(function*() {
      const settings = { STORAGE: "postgres", DATABASE_URL: yield* emptyDatabase, POOL_SIZE: "4" }
      // At the same time: one of them migrates.
      const [first, second] = yield* Effect.all(
        [Layer.build(composedLive(settings)), Layer.build(composedLive(settings))],
        { concurrency: "unbounded" }
      )
      return { first, second }
    })
  )
}

const onFirst = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TwoServers, ({ first }) => Effect.provide(effect, first))

const onSecond = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TwoServers, ({ second }) => Effect.provide(effect, second))

const OPERATOR = { _tag: "CommandLine" } as const

const LIST = "/v1/users/@me/scheduled-messages"

const notify = (webhookId: string, token: Redacted.Redacted, title: string) =>
  send(`/v1/webhooks/${webhookId}/${Redacted.value(token)}/sentry`, {
    body: { action: "created", data: { issue: { id: "1", title } } }
  })

layer(TwoServers.layer, { excludeTestServices: true, timeout: 60_000 })("two servers on one database", (it) => {
  it.scoped("a token that is revoked on one is refused by the next request to the other", () =>
    Effect.gen(function*() {
      const { credential, token } = yield* onFirst(Fixtures.bot)
      expect((yield* onSecond(send(LIST, { bot: token }))).status).toBe(200)
      yield* onFirst(Effect.flatMap(Credentials, ({ revoke }) => revoke(credential.id, OPERATOR)))
      expectError(yield* onSecond(send(LIST, { bot: token })), 401, "UNAUTHORIZED")
    }))

  it.scoped("an open event stream ends on one when its key is revoked on the other", () =>
    Effect.gen(function*() {
      const { credential, token } = yield* onFirst(Fixtures.adminKey("events:read"))
      const { token: otherToken } = yield* onFirst(Fixtures.adminKey("events:read"))
      const { closed } = yield* onSecond(ServerSentEvents.untilClosed("/v1/admin/events?from=now", token))
      const { closed: closedToo } = yield* onSecond(
        ServerSentEvents.untilClosed("/v1/admin/events?from=now", otherToken)
      )
      yield* onFirst(Effect.flatMap(Credentials, ({ revoke }) => revoke(credential.id, OPERATOR)))
      yield* closed
      expect(Option.isNone(yield* Effect.timeoutOption(closedToo, 0))).toBe(true)
    }))

  it.scoped("an account in deletion on one is refused by the other, and accepted again when it is cancelled", () =>
    Effect.gen(function*() {
      const { token, user } = yield* onFirst(Fixtures.bot)
      expect((yield* onSecond(send(LIST, { bot: token }))).status).toBe(200)
      const { token: key } = yield* onFirst(Fixtures.adminKey("*"))
      const scheduled = yield* onFirst(send("/v1/admin/users/schedule-deletion", {
        admin: key,
        body: { user_id: user.id, reason_code: 1 }
      }))
      expect(scheduled.status).toBe(200)
      expectError(yield* onSecond(send(LIST, { bot: token })), 403, "ACCOUNT_SCHEDULED_FOR_DELETION")
      yield* onSecond(
        Effect.flatMap(Accounts, ({ cancelDeletion }) => cancelDeletion({ userId: user.id, actor: OPERATOR }))
      )
      expect((yield* onFirst(send(LIST, { bot: token }))).status).toBe(200)
    }))

  it.scoped("the token of a webhook that is rotated on one stops on the other, and the new one works there", () =>
    Effect.gen(function*() {
      const { token, webhook } = yield* onFirst(Fixtures.webhook)
      expect((yield* onSecond(notify(webhook.id, token, "Before"))).status).toBe(204)
      const rotated = yield* onFirst(
        Effect.flatMap(Webhooks, ({ rotateToken }) => rotateToken(webhook.id, OPERATOR))
      )
      expectError(yield* onSecond(notify(webhook.id, token, "After")), 403, "ACCESS_DENIED")
      expect((yield* onSecond(notify(webhook.id, rotated.token, "After"))).status).toBe(204)
    }))

  it.scoped("a message through one is an event on the streams of both, in the same order", () =>
    Effect.gen(function*() {
      const { token: key } = yield* onFirst(Fixtures.adminKey("events:read"))
      const { token, webhook } = yield* onFirst(Fixtures.webhook)
      const streams = [
        yield* onFirst(ServerSentEvents.open("/v1/admin/events?from=now", key)),
        yield* onSecond(ServerSentEvents.open("/v1/admin/events?from=now", key))
      ]
      const posts = Array.from({ length: 20 }, (_, index) => notify(webhook.id, token, `Post ${index}`))
      yield* Effect.all([
        onFirst(Effect.all(posts, { concurrency: "unbounded" })),
        onSecond(Effect.all(posts, { concurrency: "unbounded" }))
      ], { concurrency: "unbounded" })
      const [seenOnFirst, seenOnSecond] = yield* Effect.forEach(
        streams,
        (events) => Effect.map(Queue.takeN(events, 40), (seen) => Array.from(seen, ({ event, id }) => `${id} ${event}`))
      )
      expect(seenOnFirst?.every((seen) => seen.endsWith("message.created"))).toBe(true)
      expect(seenOnSecond).toEqual(seenOnFirst)
    }))

  it.scoped("a member who joins through one is found by the very next search on the other", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* onFirst(Fixtures.botWithGuild)
      const search = (query: string) => send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body: { query } })
      yield* Effect.repeat(onSecond(search("nobody")), {
        until: ({ json }) => JSON.stringify(json).includes("\"indexing\":false")
      })
      const user = yield* onFirst(Fixtures.person({ globalName: "Quetzalcoatl" }))
      yield* onFirst(Fixtures.member(guild.id, user.id))
      expect((yield* onSecond(search("quetzal"))).json).toMatchObject({ total_result_count: 1, indexing: false })
    }))
})
