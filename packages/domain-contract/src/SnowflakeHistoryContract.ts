import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { UserId } from "@community-messaging/domain/account/User"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { MAX_SNOWFLAKE, Snowflake, toId } from "@community-messaging/domain/shared-kernel/Snowflake"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { related, writeAll } from "./EveryPort.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

const LARGEST = Snowflake.make(MAX_SNOWFLAKE.toString())

/** What `SnowflakeHistory` promises. */
export const snowflakeHistoryContract = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("SnowflakeHistory", () => {
    it.effect("an empty storage has no largest id, no newest ones and no epoch", () =>
      Effect.gen(function*() {
        const history = yield* SnowflakeHistory
        expect(yield* history.largestUpTo(LARGEST)).toEqual(Option.none())
        expect(yield* history.newest(10)).toEqual([])
        expect(yield* history.epoch).toEqual(Option.none())
      }).pipe(Effect.provide(storage)))

    it.effect.each(
      [
        "application",
        "channel",
        "credential",
        "guild",
        "message",
        "role",
        "scheduledMessage",
        "user",
        "webhook"
      ] as const
    )("the id of a %s counts", (kind) =>
      Effect.gen(function*() {
        const all = related()
        yield* writeAll(all)
        const { id } = all[kind]
        const { largestUpTo } = yield* SnowflakeHistory
        expect(yield* largestUpTo(id)).toEqual(Option.some(id))
      }).pipe(Effect.provide(storage)))

    it.effect("ids are compared as numbers, and none above the bound counts", () =>
      Effect.gen(function*() {
        const { largestUpTo } = yield* SnowflakeHistory
        yield* Effect.forEach(["9", "10", "9223372036854775807"], (id) => Saved.user({ id: UserId.make(id) }))
        const largest = (bound: string) => Effect.map(largestUpTo(Snowflake.make(bound)), Option.getOrNull)
        expect(yield* Effect.forEach(["9", "10", "11", String(MAX_SNOWFLAKE - 1n), LARGEST], largest)).toEqual([
          "9",
          "10",
          "10",
          "10",
          LARGEST
        ])
      }).pipe(Effect.provide(storage)))

    it.effect("the newest credentials and messages come with the times of their creation", () =>
      Effect.gen(function*() {
        const history = yield* SnowflakeHistory
        const all = related()
        yield* writeAll(all)
        const older = Samples.botToken({ id: toId(CredentialId, Snowflake.make("1")), userId: all.user.id })
        yield* Effect.flatMap(CredentialRepository, ({ insert }) => insert(older))
        expect(yield* history.newest(1)).toEqual([
          { id: all.credential.id, createdAt: all.credential.createdAt },
          { id: all.message.id, createdAt: all.message.createdAt }
        ])
      }).pipe(Effect.provide(storage)))

    it.effect("the first epoch that is stored stays", () =>
      Effect.gen(function*() {
        const history = yield* SnowflakeHistory
        const stored = [yield* history.storeEpoch(1_420_070_400_000), yield* history.storeEpoch(0)]
        expect(stored).toEqual([1_420_070_400_000, 1_420_070_400_000])
        expect(yield* history.epoch).toEqual(Option.some(1_420_070_400_000))
      }).pipe(Effect.provide(storage)))
  })
