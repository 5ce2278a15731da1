import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"

/** Identifies a guild, a community. */
export const GuildId = Snowflake.pipe(Schema.brand("GuildId"))
export type GuildId = typeof GuildId.Type

/** A community: members, roles and channels belong to it. */
export const Guild = Schema.Struct({
  id: GuildId,
  name: Schema.NonEmptyString,
  ownerId: UserId
}).annotations({ identifier: "Guild" })
export interface Guild extends Schema.Schema.Type<typeof Guild> {}

/** No such guild, or the caller is not in it. */
export class UnknownGuild extends Schema.TaggedError<UnknownGuild>()("UnknownGuild", { guildId: GuildId }) {}
