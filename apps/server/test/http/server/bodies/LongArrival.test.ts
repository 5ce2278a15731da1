import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { it, layer } from "@effect/vitest"
import { Context, DateTime, Deferred, Duration, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { describe, expect } from "vitest"
import * as Fixtures from "../../Fixtures.ts"
import * as RawClient from "../../RawClient.ts"
import { searching } from "../../Searching.ts"
import { connected, testServer } from "../../TestServer.ts"

/**
 * Sends a request with a body that arrives that long after its head, and runs an effect in between. Returns the status and
 * the whole response.
 */
const sendWhile = (
  head: string,
  duration: Duration.DurationInput,
  happens: Effect.Effect<unknown, unknown>,
  body = "{}"
) =>
  Effect.gen(function*() {
    const client = yield* connected
    client.write(`${head}Content-Length: ${body.length}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`)
    // The server requests the body, so it has authenticated the request.
    yield* client.until(/^HTTP\/1\.1 100 /)
    yield* Effect.orDie(happens)
    yield* TestClock.adjust(duration)
    client.write(body)
    const response = yield* client.closed
    return { status: RawClient.statuses(response)[1], response }
  })

const commandLine = { _tag: "CommandLine" } as const

/** Requests with bodies that take long to arrive (API gaps, Credentials). The server's clock is the test's. */
layer(testServer({ rateLimits: RateLimits.layer(), options: { requestTimeout: Duration.infinity } }))(
  "A body that arrives more than a second after the credentials",
  (it) => {
    it.scoped("is refused when the bot token was revoked meanwhile", () =>
      Effect.gen(function*() {
        const credentials = yield* Credentials
        const { credential, head } = yield* searching
        const revoked = credentials.revoke(credential.id, commandLine)
        expect((yield* sendWhile(head, "1001 millis", revoked)).status).toBe(401)
      }))

    it.scoped("is refused when the account was scheduled for deletion meanwhile", () =>
      Effect.gen(function*() {
        const users = yield* UserRepository
        const { head, user } = yield* searching
        const scheduled = users.save({ ...user, pendingDeletionAt: Option.some(yield* DateTime.now) })
        const { response, status } = yield* sendWhile(head, "2 seconds", scheduled)
        expect(status).toBe(403)
        expect(response).toContain("ACCOUNT_SCHEDULED_FOR_DELETION")
      }))

    it.scoped("posts under the name that the webhook has at its end, as a faster one does", () =>
      Effect.gen(function*() {
        const webhooks = yield* WebhookRepository
        const messages = yield* MessageRepository
        const { path, webhook } = yield* Fixtures.webhook
        const head = `POST ${path}/sentry HTTP/1.1\r\nHost: x\r\n`
        const body = JSON.stringify({ action: "created", data: { issue: { title: "It broke" } } })
        for (const [name, duration] of [["Soon", "1 second"], ["Late", "1001 millis"]] as const) {
          const renamed = webhooks.save({ ...webhook, name: WebhookName.make(name) })
          const { status } = yield* sendWhile(head, duration, renamed, body)
          expect(status).toBe(204)
        }
        const posted = yield* messages.inChannel({ channelId: webhook.channelId, before: Option.none(), limit: 2 })
        expect(posted.map(({ author }) => "name" in author && author.name)).toEqual(["Late", "Soon"])
      }))

    it.scoped("is handled when the credentials are still valid, and counts once", () =>
      Effect.gen(function*() {
        const { head } = yield* searching
        const { response, status } = yield* sendWhile(head, "2 seconds", Effect.void)
        expect(status).toBe(200)
        const next = yield* sendWhile(head, 0, Effect.void)
        expect([response, next.response].map((text) => /x-ratelimit-remaining: (\d+)/i.exec(text)?.[1]))
          .toEqual(["39", "39"])
      }))
  }
)

layer(testServer({ options: { requestTimeout: Duration.seconds(5) } }))("The time in which a body arrives", (it) => {
  it.scoped("does not count in the time limit of the request", () =>
    Effect.gen(function*() {
      const { head } = yield* searching
      expect((yield* sendWhile(head, "8 seconds", Effect.void)).status).toBe(200)
    }))
})

/** A storage that finds a bot token once, and then does not answer. */
const silentSecondTime = (onSecond: Effect.Effect<unknown>) =>
  Layer.map(StorageMemory.layer, (ports) => {
    const credentials = Context.get(ports, CredentialRepository)
    let isFirst = true
    return Context.add(ports, CredentialRepository, {
      ...credentials,
      findBotToken: (digest) =>
        Effect.suspend(() => {
          if (!isFirst) return Effect.zipRight(onSecond, Effect.never)
          isFirst = false
          return credentials.findBotToken(digest)
        })
    })
  })

describe("The second authentication of a request", () => {
  it.scoped("counts in the time limit of the request", () =>
    Effect.gen(function*() {
      const isAuthenticating = yield* Deferred.make<void>()
      const served = testServer({
        storage: silentSecondTime(Deferred.succeed(isAuthenticating, undefined)),
        options: { requestTimeout: Duration.seconds(5) }
      })
      const answered = Effect.gen(function*() {
        const { head } = yield* searching
        const answer = yield* Effect.fork(sendWhile(head, "2 seconds", Effect.void))
        yield* Deferred.await(isAuthenticating)
        yield* TestClock.adjust("5 seconds")
        return yield* Fiber.join(answer)
      })
      expect((yield* Effect.provide(answered, served)).status).toBe(503)
    }))
})
