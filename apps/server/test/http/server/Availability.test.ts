import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { layer } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, FiberId, Layer } from "effect"
import { expect } from "vitest"
import { expectError } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { testServer } from "../TestServer.ts"

/** A storage in memory with this effect as its searches. */
const searchesThat = (behave: Effect.Effect<never, StorageError>) =>
  Layer.merge(StorageMemory.layer, Layer.succeed(MemberDirectory, { begin: () => behave }))

const search = Effect.gen(function*() {
  const { guild, token } = yield* Fixtures.botWithGuild
  return yield* send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body: {} })
})

layer(testServer({ storage: searchesThat(Effect.fail(new StorageError({ operation: "search" }))) }), {
  excludeTestServices: true
})("A storage that is unavailable", (it) => {
  it.effect("causes 503, with the time of the next attempt", () =>
    Effect.gen(function*() {
      const response = yield* search
      expectError(response, 503, "SERVICE_UNAVAILABLE")
      expect(Number(response.headers["retry-after"])).toBeGreaterThan(0)
    }))
})

const outOfReach = Effect.fail(new StorageError({ operation: "find" }))

/** A storage in memory that finds neither credentials nor webhooks. */
const withoutCallers = Layer.merge(
  StorageMemory.layer,
  Layer.effectContext(Effect.gen(function*() {
    const credentials = yield* CredentialRepository
    const webhooks = yield* WebhookRepository
    return Context.empty().pipe(
      Context.add(CredentialRepository, {
        ...credentials,
        findByDigest: () => outOfReach,
        findBotToken: () => outOfReach
      }),
      Context.add(WebhookRepository, { ...webhooks, find: () => outOfReach })
    )
  })).pipe(Layer.provide(StorageMemory.layer))
)

layer(testServer({ storage: withoutCallers }), { excludeTestServices: true })(
  "A storage that is unavailable during authentication",
  (it) => {
    it.effect("causes 503, not the error of an unknown caller", () =>
      Effect.gen(function*() {
        const { token: bot } = yield* Fixtures.bot
        const { token: admin } = yield* Fixtures.adminKey("*")
        expectError(yield* send("/v1/users/@me/scheduled-messages", { bot }), 503, "SERVICE_UNAVAILABLE")
        expectError(yield* send("/v1/admin/audit-log", { admin }), 503, "SERVICE_UNAVAILABLE")
        expectError(yield* send("/v1/webhooks/1/token", { method: "PATCH", body: {} }), 503, "SERVICE_UNAVAILABLE")
      }))
  }
)

const stopped = Deferred.unsafeMake<void>(FiberId.none)

const slow = Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))

layer(testServer({ storage: searchesThat(slow), options: { requestTimeout: Duration.millis(50) } }), {
  excludeTestServices: true
})(
  "A storage that is too slow",
  (it) => {
    it.effect("causes 503 when the deadline has passed, and its work is stopped", () =>
      Effect.gen(function*() {
        const response = yield* search
        expectError(response, 503, "SERVICE_UNAVAILABLE")
        expect(Number(response.headers["retry-after"])).toBeGreaterThan(0)
        yield* Deferred.await(stopped)
      }))
  }
)

layer(
  testServer({
    storage: searchesThat(Effect.uninterruptible(Effect.never)),
    options: { requestTimeout: Duration.millis(50) }
  }),
  { excludeTestServices: true }
)("A storage that cannot be stopped", (it) => {
  it.effect("does not make the client wait", () =>
    Effect.gen(function*() {
      expectError(yield* search, 503, "SERVICE_UNAVAILABLE")
    }))
})

layer(testServer({ storage: searchesThat(Effect.die(new Error("secret detail"))) }), { excludeTestServices: true })(
  "An unexpected failure",
  (it) => {
    it.effect("causes 500, without any detail", () =>
      Effect.gen(function*() {
        const response = yield* search
        expectError(response, 500, "INTERNAL_SERVER_ERROR")
        expect(response.text).not.toMatch(/secret|Error:|\.ts|at /)
      }))
  }
)
