import * as Samples from "@community-messaging/domain-contract/Samples"
import { Authentication } from "@community-messaging/domain/access/Authentication"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { DeletionReasonCode } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { EventLog } from "@community-messaging/domain/EventLog"
import { SnowflakeGenerator } from "@community-messaging/domain/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** The whole domain on a storage in that file. */
const serviceOn = (filename: string) =>
  UseCases.layer.pipe(
    Layer.provideMerge(StorageSqlite.layer({ filename })),
    Layer.provide(PlatformNode.layer),
    Layer.provide(SnowflakeGenerator.layer(1))
  )

const actor = { _tag: "CommandLine" } as const

describe("use cases on SQLite", () => {
  it.scoped("a token that was issued lets its account in when the file is opened again", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const bot = Samples.user({ bot: true })
      const { token } = yield* Effect.gen(function*() {
        yield* (yield* UserRepository).save(bot)
        return yield* (yield* Credentials).issueBotToken(bot.id, actor)
      }).pipe(Effect.provide(serviceOn(filename)))
      const user = yield* Effect.provide(
        Effect.flatMap(Authentication, (authentication) => authentication.bot(token)),
        serviceOn(filename)
      )
      expect(user.id).toBe(bot.id)
    }))

  it.scoped("an operation keeps its change, its event and its audit record together", () =>
    Effect.gen(function*() {
      const user = Samples.user()
      const kept = yield* Effect.gen(function*() {
        const users = yield* UserRepository
        yield* users.save(user)
        yield* (yield* Accounts).scheduleDeletion({
          userId: user.id,
          reasonCode: DeletionReasonCode.make(1),
          publicReason: Option.none(),
          daysUntilDeletion: Option.none(),
          actor
        })
        return {
          pending: Option.isSome(Option.flatMap(yield* users.find(user.id), (found) => found.pendingDeletionAt)),
          events: (yield* (yield* EventLog).read(0, 10)).map(({ event }) => event._tag),
          actions: (yield* (yield* AuditLog).read(0, 10)).map(({ record }) => record.action)
        }
      }).pipe(Effect.provide(serviceOn(yield* temporaryFilename)))
      expect(kept).toEqual({
        pending: true,
        events: ["user.deletion_scheduled"],
        actions: ["user.schedule_deletion"]
      })
    }))
})
