import { Authentication } from "@community-messaging/domain/access/Authentication"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { UserId } from "@community-messaging/domain/account/User"
import { COMMAND_LINE } from "@community-messaging/domain/audit/AuditRecord"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import {
  LocalDateTime,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { Array, DateTime, Duration, Effect, Option, Random, Schema } from "effect"
import { idsOf } from "./DemoCommunity.ts"
import type { DemoFacts } from "./DemoFacts.ts"

/** An action of the demo's page for which the API has no operation. The message of its error is for the user. */
export type Action = Effect.Effect<void, Error>

const SOON = Duration.seconds(15)

const CONTENTS = Array.make(
  "The kiln is free: **first come, first served** 🔥",
  "Tea is ready in the workshop ☕",
  "Tonight: how to sharpen a chisel. _Bring one._"
)

/** Returns the reads and actions of the page in this demo. */
export const make = (facts: DemoFacts) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    const authentication = yield* Authentication
    const guilds = yield* GuildRepository
    const messages = yield* ScheduledMessages
    const square = ChannelId.make(idsOf(yield* SnowflakeEpoch).square)

    const bot = authentication.bot(facts.bot_token)

    return {
      community: Effect.gen(function*() {
        const guild = yield* guilds.find(facts.guild_id)
        const channels = yield* guilds.channels(facts.guild_id)
        return {
          guild: { id: facts.guild_id, name: Option.match(guild, { onNone: () => "", onSome: ({ name }) => name }) },
          channels: channels.map(({ id, name }) => ({ id, name }))
        }
      }).pipe(Effect.orDie),
      /** Schedules a message of the demo's bot. */
      scheduleMessage: Effect.gen(function*() {
        const { id } = yield* bot
        const at = DateTime.addDuration(yield* DateTime.now, SOON)
        const content = yield* Random.choice(CONTENTS)
        yield* messages.schedule(id, {
          channelId: square,
          scheduledLocalAt: LocalDateTime.make(DateTime.formatIso(at).slice(0, -1)),
          timezone: TimeZoneName.make("UTC"),
          payload: MessagePayload.make({ content: Option.some(content) })
        })
      }),
      cancelMessage: (id: string) =>
        Effect.gen(function*() {
          const author = yield* bot
          yield* messages.cancel(author.id, yield* Schema.decode(ScheduledMessageId)(id))
        }),
      cancelDeletion: (id: string) =>
        Effect.gen(function*() {
          const userId = yield* Schema.decode(UserId)(id)
          yield* accounts.cancelDeletion({ userId, actor: COMMAND_LINE })
        })
    }
  })

/** The reads and actions of the demo's page besides the operations of the API. */
export type DemoActions = Effect.Effect.Success<ReturnType<typeof make>>

/** The services that the actions need. */
export type Services = Effect.Effect.Context<ReturnType<typeof make>>
