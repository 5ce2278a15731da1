import { Credentials } from "@community-messaging/domain/access/Credentials"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, Redacted, TestClock } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../../Fixtures.ts"
import * as RawClient from "../../RawClient.ts"
import { connected, testServer } from "../../TestServer.ts"

/** A request; its body is an empty object by default. */
interface LongRequest {
  readonly method: string
  readonly path: string
  readonly authorization?: string
  readonly body?: string
}

/**
 * Sends a request with a body that arrives that long after its head, and runs an effect in between. Returns the status and
 * the whole response.
 */
const sendWhile = (
  { authorization, body = "{}", method, path }: LongRequest,
  duration: Duration.DurationInput,
  happens: Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function*() {
    const client = yield* connected
    const credentials = authorization === undefined ? "" : `Authorization: ${authorization}\r\n`
    client.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\n${credentials}Content-Length: ${body.length}\r\n` +
        "Connection: close\r\nExpect: 100-continue\r\n\r\n"
    )
    // The server requests the body, so it has authenticated the request.
    yield* client.until(/^HTTP\/1\.1 100 /)
    yield* Effect.orDie(happens)
    yield* TestClock.adjust(duration)
    client.write(body)
    const response = yield* client.closed
    return { status: RawClient.statuses(response)[1], response }
  })

const botSearch = Effect.map(Fixtures.botWithGuild, ({ credential, guild, token, user }) => ({
  credential,
  user,
  request: {
    method: "POST",
    path: `/v1/guilds/${guild.id}/members-search`,
    authorization: `Bot ${Redacted.value(token)}`
  }
}))

const commandLine = { _tag: "CommandLine" } as const

/** Requests with bodies that take long to arrive (API gaps, Credentials). The server's clock is the test's. */
layer(testServer({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } }))(
  "A body that arrives more than a second after the credentials",
  (it) => {
    it.scoped("is refused when the bot token was revoked meanwhile", () =>
      Effect.gen(function*() {
        const credentials = yield* Credentials
        const { credential, request } = yield* botSearch
        const revoked = credentials.revoke(credential.id, commandLine)
        expect((yield* sendWhile(request, "1001 millis", revoked)).status).toBe(401)
      }))

    it.scoped("is refused when the account was scheduled for deletion meanwhile", () =>
      Effect.gen(function*() {
        const users = yield* UserRepository
        const { request, user } = yield* botSearch
        const scheduled = users.save({ ...user, pendingDeletionAt: Option.some(yield* DateTime.now) })
        const { response, status } = yield* sendWhile(request, "2 seconds", scheduled)
        expect(status).toBe(403)
        expect(response).toContain("ACCOUNT_SCHEDULED_FOR_DELETION")
      }))

    it.scoped("posts under the name that the webhook has by then", () =>
      Effect.gen(function*() {
        const webhooks = yield* WebhookRepository
        const messages = yield* MessageRepository
        const { path, webhook } = yield* Fixtures.webhook
        const body = JSON.stringify({ action: "created", data: { issue: { title: "It broke" } } })
        for (const [name, duration] of [["Soon", "1 second"], ["Late", "1001 millis"]] as const) {
          const renamed = webhooks.save({ ...webhook, name: WebhookName.make(name) })
          expect((yield* sendWhile({ method: "POST", path: `${path}/sentry`, body }, duration, renamed)).status).toBe(
            204
          )
        }
        const posted = yield* messages.inChannel({ channelId: webhook.channelId, before: Option.none(), limit: 2 })
        expect(posted.map(({ author }) => "name" in author && author.name)).toEqual(["Late", webhook.name])
      }))

    it.scoped("is handled when the credentials are still valid, and counts once", () =>
      Effect.gen(function*() {
        const { request } = yield* botSearch
        const { response, status } = yield* sendWhile(request, "2 seconds", Effect.void)
        expect(status).toBe(200)
        const next = yield* sendWhile(request, 0, Effect.void)
        expect([response, next.response].map((text) => /x-ratelimit-remaining: (\d+)/i.exec(text)?.[1]))
          .toEqual(["39", "39"])
      }))
  }
)

layer(testServer({ options: { requestTimeout: Duration.seconds(5) } }))("The time in which a body arrives", (it) => {
  it.scoped("does not count in the time limit of the request", () =>
    Effect.gen(function*() {
      const { request } = yield* botSearch
      expect((yield* sendWhile(request, "8 seconds", Effect.void)).status).toBe(200)
    }))
})
