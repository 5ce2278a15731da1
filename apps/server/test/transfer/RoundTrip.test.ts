import { Authentication } from "@community-messaging/domain/access/Authentication"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as UseCases from "@community-messaging/domain/UseCases"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { COMMUNITY, SECRETS, toText } from "./Community.ts"
import { eventCount, exportText, importText, inMemory } from "./Transfer.ts"

const file = toText(COMMUNITY)

const service = UseCases.layer.pipe(
  Layer.provide(SnowflakeGenerator.layer(0)),
  Layer.provideMerge(inMemory)
)

describe("export and import", () => {
  it.effect("a community that is imported and exported is the same file", () =>
    Effect.gen(function*() {
      const { failed } = yield* importText(file)
      expect(failed).toEqual([])
      expect(yield* exportText).toBe(file)
    }).pipe(Effect.provide(inMemory)))

  it.effect("importing the same again changes nothing and tells of nothing", () =>
    Effect.gen(function*() {
      yield* importText(file)
      const before = yield* eventCount
      const { summary } = yield* importText(file)
      const touched = Object.values(summary).filter(({ added, changed, failed }) => added + changed + failed > 0)
      expect({ touched, events: yield* eventCount }).toEqual({ touched: [], events: before })
    }).pipe(Effect.provide(inMemory)))

  it.effect("tokens go on working in the service that was imported", () =>
    Effect.gen(function*() {
      yield* importText(file)
      const authentication = yield* Authentication
      const webhooks = yield* Webhooks
      const bot = yield* authentication.bot(Redacted.make(SECRETS.bot))
      const admin = yield* authentication.admin(Redacted.make(SECRETS.admin))
      const webhook = yield* webhooks.authenticate(WebhookId.make("601"), Redacted.make(SECRETS.webhook))
      expect([bot.id, admin.id, webhook.id]).toEqual(["102", "903", "601"])
    }).pipe(Effect.provide(service)))

  it.effect("a revoked token stays revoked in the service that was imported", () =>
    Effect.gen(function*() {
      yield* importText(file)
      const authentication = yield* Authentication
      const error = yield* Effect.flip(authentication.bot(Redacted.make(SECRETS.revokedBot)))
      expect(error._tag).toBe("InvalidCredentials")
    }).pipe(Effect.provide(service)))
})
