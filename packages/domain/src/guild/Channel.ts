import { Schema } from "effect"
import { Name } from "../shared-kernel/Name.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { GuildId } from "./Guild.ts"

/** Identifies a channel. */
export const ChannelId = Snowflake.pipe(Schema.brand("ChannelId"))
export type ChannelId = typeof ChannelId.Type

/** A channel of a guild. Messages are posted in channels. */
export const Channel = Schema.Struct({
  id: ChannelId,
  guildId: GuildId,
  name: Name
}).annotations({ identifier: "Channel" })
export interface Channel extends Schema.Schema.Type<typeof Channel> {}
