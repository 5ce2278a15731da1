import { Authentication } from "@community-messaging/domain/access/Authentication"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as UseCases from "@community-messaging/domain/UseCases"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect, it, vi } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import * as Export from "../../src/transfer/Export.ts"
import { COMMUNITY, SECRETS, toText } from "./Community.ts"
import { eventCount, exportText, exportTextWith, importText, inMemory, ON_STORAGES } from "./Transfer.ts"

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

    it.effect("an export has one state, also if another guild is saved after the accounts were exported", () =>
      Effect.gen(function*() {
        yield* importText(file)
        const [begin, saved] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // Begins before the export, so that it is no part of it.
        const writer = yield* Effect.fork(
          Deferred.await(begin).pipe(
            Effect.zipRight(importText(toText([{ kind: "guild", id: "299", name: "Anbau", owner_id: "101" }]))),
            Effect.ensuring(Deferred.succeed(saved, undefined))
          )
        )
        const exported = yield* exportTextWith((kind) =>
          kind === "user"
            ? Effect.zipRight(Deferred.succeed(begin, undefined), Deferred.await(saved))
            : Effect.void
        )
        const { summary } = yield* Fiber.join(writer)
        expect([summary["guild"]?.added, exported]).toEqual([1, file])
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

  it.scoped("an export lets signals arrive between two kinds, also if its output never waits", () =>
    Effect.gen(function*() {
      yield* importText(file)
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          vi.spyOn(process.stdout, "write").mockImplementation((...given) => {
            for (const whenWritten of given) if (typeof whenWritten === "function") whenWritten()
            return true
          })
        ),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      let turns = 0
      const turnsBefore: Array<number> = []
      yield* Export.toStandardOutput(() =>
        Effect.sync(() => {
          turnsBefore.push(turns)
          setImmediate(() => {
            turns += 1
          })
        })
      )
      expect(turnsBefore).toEqual(turnsBefore.map((_, batch) => batch))
    }).pipe(Effect.provide(inMemory)))
})
