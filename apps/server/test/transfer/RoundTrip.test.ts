import { Authentication } from "@community-messaging/domain/access/Authentication"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as UseCases from "@community-messaging/domain/UseCases"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { COMMUNITY, SECRETS, toText } from "./Community.ts"
import { eventCount, exportText, importText, type inMemory, ON_STORAGES } from "./Transfer.ts"

const file = toText(COMMUNITY)

const serviceOn = (storage: typeof inMemory) =>
  UseCases.layer.pipe(
    Layer.provide(SnowflakeGenerator.layer(0)),
    Layer.provideMerge(storage),
    Layer.orDie
  )

describe("export and import", () => {
  describe.each(ON_STORAGES)("on %s", (_name, storage) => {
    it.effect("a community that is imported and exported is the same file, and importing it again changes nothing", () =>
      Effect.gen(function*() {
        const { failed } = yield* importText(file)
        expect(failed).toEqual([])
        expect(yield* exportText).toBe(file)
        const before = yield* eventCount
        const { summary } = yield* importText(file)
        const touched = Object.values(summary).filter((tally) => tally.added + tally.changed + tally.failed > 0)
        expect({ touched, events: yield* eventCount }).toEqual({ touched: [], events: before })
      }).pipe(Effect.provide(storage)))

    it.effect("tokens still work in a service with imported data, except revoked ones", () =>
      Effect.gen(function*() {
        yield* importText(file)
        const authentication = yield* Authentication
        const webhooks = yield* Webhooks
        const bot = yield* authentication.bot(Redacted.make(SECRETS.bot))
        const admin = yield* authentication.admin(Redacted.make(SECRETS.admin))
        const webhook = yield* webhooks.authenticate(WebhookId.make("601"), Redacted.make(SECRETS.webhook))
        expect([bot.id, admin.id, webhook.id]).toEqual(["102", "903", "601"])
        const revoked = yield* Effect.flip(authentication.bot(Redacted.make(SECRETS.revokedBot)))
        expect(revoked._tag).toBe("InvalidCredentials")
      }).pipe(Effect.provide(serviceOn(storage))))
  })
})
