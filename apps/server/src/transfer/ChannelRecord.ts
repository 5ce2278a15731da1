import { Channel } from "@community-messaging/domain/guild/Channel"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Effect, Option, Schema, Stream } from "effect"
import { guilds } from "./GuildRecord.ts"
import { invalid } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of a channel. */
const ChannelRecord = RecordSchema.make(Channel)

const same = Schema.equivalence(Channel)

const save = (channel: Channel) =>
  Effect.gen(function*() {
    const repository = yield* GuildRepository
    const references = yield* References.References
    yield* References.requireAll([references.guild("guild_id", channel.guildId)])
    const existing = yield* repository.findChannel(channel.id)
    // The channel's webhooks and messages refer to its guild.
    if (Option.exists(existing, ({ guildId }) => guildId !== channel.guildId)) {
      return yield* invalid("guild_id", "differs from the stored one: a channel cannot move to another guild")
    }
    return yield* RecordKind.outcome(existing, channel, same, () => repository.saveChannel(channel))
  })

/** Streams all channels, guild by guild. */
export const channels = Stream.flatMap(
  guilds,
  (guild) => Stream.fromIterableEffect(Effect.flatMap(GuildRepository, (repository) => repository.channels(guild.id)))
)

/** The record kind of channels, exported guild by guild. */
export const kind = RecordKind.make({
  kind: "channel",
  schema: ChannelRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.succeed(channels)
})
