import * as Saved from "@community-messaging/domain-contract/Saved"
import { deleteDue, scheduleDeletion } from "@community-messaging/domain-contract/world/Scene"
import { Authentication } from "@community-messaging/domain/access/Authentication"
import { allows } from "@community-messaging/domain/access/Credential"
import type { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import * as UseCases from "@community-messaging/domain/UseCases"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Option, Redacted, Schema, TestClock } from "effect"
import * as Demo from "../../src/demo/Demo.ts"
import { records } from "../../src/demo/DemoCommunity.ts"
import * as DemoFacts from "../../src/demo/DemoFacts.ts"
import * as Storage from "../../src/storage/Storage.ts"

const NOW = DateTime.unsafeMake("2026-02-03T04:05:06Z")
const EPOCH = Date.UTC(2015, 0, 1)

const inMemory = UseCases.layer.pipe(
  Layer.provideMerge(
    Storage.layer({ storage: "memory", migrate: true, dataDirectory: "unused", snowflakeEpoch: EPOCH })
  ),
  Layer.provideMerge(PlatformNode.layer),
  Layer.provideMerge(NodeContext.layer)
)

/** The service with webhooks that cannot be listed. */
const broken = Layer.map(inMemory, (context) =>
  Context.add(context, WebhookRepository, {
    ...Context.get(context, WebhookRepository),
    list: () => Effect.fail(new StorageError({ operation: "list webhooks" }))
  }))

const decodeFacts = Schema.decode(Schema.parseJson(DemoFacts.DemoFacts))

const temporaryDirectory = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Runs a demo in the directory until the scope ends, as if it listened on that port. Returns its instructions. */
const launch = (directory: string, port = 1) =>
  Effect.zipRight(
    TestClock.setTime(NOW.epochMillis),
    Demo.prepare(directory, `http://127.0.0.1:${port}/v1`, port, Option.none())
  )

const ownersFacts = (directory: string) => Effect.map(DemoFacts.read(directory), Option.getOrThrow)

/** Starts the demo in the directory and ends it. Returns its facts. */
const start = (directory: string, port = 1) =>
  Effect.zipRight(Effect.scoped(launch(directory, port)), ownersFacts(directory))

/** The facts of a demo that runs beside another one. */
const guestsFacts = (directory: string, port: number) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    return yield* decodeFacts(yield* files.readFileString(`${directory}/demo-${port}.json`))
  })

/** The owners of the working secrets. */
const working = (facts: DemoFacts.DemoFacts) =>
  Effect.gen(function*() {
    const authentication = yield* Authentication
    const webhooks = yield* Webhooks
    const opened = yield* Effect.all([
      Effect.option(Effect.as(authentication.bot(facts.bot_token), "bot")),
      Effect.option(Effect.as(authentication.admin(facts.admin_key), "admin")),
      Effect.option(Effect.as(webhooks.authenticate(facts.webhook.id, facts.webhook.token), "webhook"))
    ])
    return opened.flatMap(Option.toArray)
  })

const deleteAccount = (userId: UserId) =>
  scheduleDeletion(userId, 1).pipe(Effect.zipRight(TestClock.adjust("1 day")), Effect.zipRight(deleteDue()))

const botOf = (facts: DemoFacts.DemoFacts) =>
  Effect.gen(function*() {
    const { id } = yield* (yield* Authentication).bot(facts.bot_token)
    return yield* yield* (yield* UserRepository).find(id)
  })

describe("the demo", () => {
  it.scoped("has secrets that work, members to search, and messages in every status except pending", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      const facts = yield* start(directory)
      // For its owner alone.
      expect((yield* files.stat(`${directory}/demo.json`)).mode & 0o777).toBe(0o600)
      const bot = yield* botOf(facts)
      const key = yield* (yield* Authentication).admin(facts.admin_key)
      const webhook = yield* (yield* Webhooks).authenticate(facts.webhook.id, facts.webhook.token)
      expect([bot.bot, allows(key, "user:delete"), webhook.channelId]).toEqual([true, true, facts.channel_id])
      const page = yield* (yield* MemberSearch).search(bot.id, facts.guild_id, MemberQuery.make({}))
      expect(page.total).toBeGreaterThan(300)
      const listed = yield* (yield* ScheduledMessages).list(bot.id, ScheduledMessageStatus.literals)
      expect(new Set(listed.map(({ status }) => status))).toEqual(
        new Set(ScheduledMessageStatus.literals.filter((status) => status !== "pending"))
      )
    }).pipe(Effect.provide(inMemory)))

  it.scoped("is reused by the next start with its secrets, also if deletions of its account and its bot are scheduled", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const first = yield* start(directory)
      yield* scheduleDeletion(first.user_id)
      yield* scheduleDeletion((yield* botOf(first)).id)
      const second = yield* start(directory, 2)
      expect(second).toEqual({ ...first, base_url: "http://127.0.0.1:2/v1" })
      expect((yield* botOf(second)).bot).toBe(true)
    }).pipe(Effect.provide(inMemory)))

  it.scoped("replaces the earlier secrets if its file is missing", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      const before = yield* start(directory)
      yield* files.remove(`${directory}/demo.json`)
      const facts = yield* start(directory)
      expect([yield* working(before), yield* working(facts)]).toEqual([[], ["bot", "admin", "webhook"]])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("creates new facts if its file is of another storage, or cannot be read", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      const other = yield* Effect.provide(start(directory), Layer.fresh(inMemory))
      const facts = yield* start(directory)
      const tokens = [other, facts].map(({ bot_token }) => Redacted.value(bot_token))
      expect([new Set(tokens).size, (yield* botOf(facts)).bot]).toEqual([2, true])
      yield* files.writeFileString(`${directory}/demo.json`, "{")
      expect((yield* botOf(yield* start(directory))).bot).toBe(true)
    }).pipe(Effect.provide(Layer.fresh(inMemory))))

  it.scoped("chooses another account to delete, and a new bot that may search, when the previous ones were deleted", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const before = yield* start(directory)
      yield* deleteAccount(before.user_id)
      yield* deleteAccount((yield* botOf(before)).id)
      const users = yield* UserRepository
      const facts = yield* start(directory)
      const chosen = Option.getOrThrow(yield* users.find(facts.user_id))
      expect([chosen.id === before.user_id, chosen.bot, Option.isSome(chosen.deletedAt)]).toEqual([false, false, false])
      const bot = yield* botOf(facts)
      const search = yield* MemberSearch
      const page = yield* search.search(bot.id, facts.guild_id, MemberQuery.make({ isBot: Option.some(true) }))
      expect(page.members.map(({ userId }) => userId)).toEqual([bot.id])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("does not mix with other data", () =>
    Effect.gen(function*() {
      yield* Saved.user()
      const refused = yield* Effect.flip(Demo.refuseOtherData)
      expect([
        refused._tag,
        yield* Effect.flatMap(GuildRepository, (guilds) => guilds.list({ after: Option.none(), limit: 1 }))
      ])
        .toEqual(["NotADemo", []])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("leaves nothing when it fails half-way", () =>
    Effect.gen(function*() {
      yield* Effect.flip(start(yield* temporaryDirectory))
      const guilds = yield* GuildRepository
      expect(yield* guilds.list({ after: Option.none(), limit: 1 })).toEqual([])
    }).pipe(Effect.provide(broken)))

  it.scoped("leaves demo.json to a running demo, and has the same secrets in a file beside it until its end", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* launch(directory, 1)
      const before = yield* ownersFacts(directory)
      yield* Effect.scoped(Effect.gen(function*() {
        const { instructions } = yield* launch(directory, 2)
        expect(instructions).toContain(`for programs: ${directory}/demo-2.json`)
        expect([yield* ownersFacts(directory), yield* guestsFacts(directory, 2)]).toEqual([
          before,
          { ...before, base_url: "http://127.0.0.1:2/v1" }
        ])
      }))
      expect(yield* files.exists(`${directory}/demo-2.json`)).toBe(false)
    }).pipe(Effect.provide(inMemory)))

  it.scoped("has its own secrets if it cannot read those of a running demo, which stay valid", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* launch(directory, 1)
      const before = yield* ownersFacts(directory)
      yield* files.remove(`${directory}/demo.json`)
      yield* launch(directory, 2)
      expect(yield* working(before)).toEqual(["bot", "admin", "webhook"])
      expect(yield* working(yield* guestsFacts(directory, 2))).toEqual(["bot", "admin", "webhook"])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("does not change the secrets of a demo that starts at the same time", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const unitOfWork = yield* UnitOfWork
      const [owns, goesOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      /** Holds the owner when it has found no facts and is about to revoke all earlier secrets. */
      const held: UnitOfWork["Type"] = {
        ...unitOfWork,
        atomically: (effect) =>
          Deferred.succeed(owns, undefined).pipe(
            Effect.zipRight(Deferred.await(goesOn)),
            Effect.zipRight(unitOfWork.atomically(effect))
          )
      }
      const owner = yield* Effect.fork(Effect.provideService(launch(directory, 1), UnitOfWork, held))
      yield* Deferred.await(owns)
      const guest = yield* Effect.fork(launch(directory, 2))
      // Enough time for the guest to make its own secrets, if it did not wait.
      yield* Effect.repeatN(nextTurn, 1000)
      yield* Deferred.succeed(goesOn, undefined)
      yield* Fiber.join(owner)
      yield* Fiber.join(guest)
      expect(yield* working(yield* guestsFacts(directory, 2))).toEqual(["bot", "admin", "webhook"])
      expect(yield* working(yield* ownersFacts(directory))).toEqual(["bot", "admin", "webhook"])
    }).pipe(Effect.provide(inMemory)))

  it.effect("is the same every time, with members whose names are in many scripts", () =>
    Effect.gen(function*() {
      const made = yield* records(EPOCH, NOW)
      expect(yield* records(EPOCH, NOW)).toEqual(made)
      const text = JSON.stringify(made)
      const scripts = "Latin Cyrillic Greek Arabic Hebrew Devanagari Han Hiragana Katakana Hangul".split(" ")
      const rare = scripts.filter((script) =>
        (text.match(new RegExp(`"global_name":"\\p{Script=${script}}`, "gu"))?.length ?? 0) <= 3
      )
      expect(rare).toEqual([])
    }))
})
