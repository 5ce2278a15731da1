import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { MAX_SNOWFLAKE, Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { related, writeAll } from "./EveryPort.ts"
import { portContract } from "./OwnPorts.ts"
import * as Saved from "./Saved.ts"

const LARGEST = Snowflake.make(MAX_SNOWFLAKE.toString())

/** The entities that have ids, and the ports that store them. */
const WITH_IDS = [
  ["application", ApplicationRepository],
  ["channel", GuildRepository],
  ["credential", CredentialRepository],
  ["guild", GuildRepository],
  ["message", MessageRepository],
  ["role", GuildRepository],
  ["scheduledMessage", ScheduledMessageRepository],
  ["user", UserRepository],
  ["webhook", WebhookRepository]
] as const

/** The contract of `SnowflakeHistory`. */
export const snowflakeHistoryContract = portContract<SnowflakeHistory>("SnowflakeHistory", ({ has, it }) => {
  it("an empty storage has no largest id and no epoch", function*() {
    const history = yield* SnowflakeHistory
    expect(yield* history.largestUpTo(LARGEST)).toEqual(Option.none())
    expect(yield* history.epoch).toEqual(Option.none())
  })

  for (const [kind, port] of WITH_IDS) {
    if (has(port)) {
      it(`the id of a ${kind} counts`, function*() {
        const all = related()
        yield* writeAll(all)
        const { id } = all[kind]
        const { largestUpTo } = yield* SnowflakeHistory
        expect(yield* largestUpTo(id)).toEqual(Option.some(id))
      })
    }
  }

  if (has(UserRepository)) {
    it("ids are compared as numbers, and those above the bound do not count", function*() {
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
    })
  }

  it("the first epoch that is stored stays", function*() {
    const history = yield* SnowflakeHistory
    const stored = [yield* history.storeEpoch(1_420_070_400_000), yield* history.storeEpoch(0)]
    expect(stored).toEqual([1_420_070_400_000, 1_420_070_400_000])
    expect(yield* history.epoch).toEqual(Option.some(1_420_070_400_000))
  })
})
