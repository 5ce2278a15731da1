import { Either, type Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import { Name } from "../shared-kernel/Name.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"

/** Identifies a guild. */
export const GuildId = Snowflake.pipe(Schema.brand("GuildId"))
export type GuildId = typeof GuildId.Type

/** A guild: a community with members, roles and channels. */
export const Guild = Schema.Struct({
  id: GuildId,
  name: Name,
  ownerId: UserId
}).annotations({ identifier: "Guild" })
export interface Guild extends Schema.Schema.Type<typeof Guild> {}

/** The guild does not exist, or the caller is not a member of it. */
export class UnknownGuild extends Schema.TaggedError<UnknownGuild>()("UnknownGuild", { guildId: GuildId }) {
  override get message(): string {
    return `There is no guild ${this.guildId}, or the account is not in it.`
  }
}

/** Returns the guild that was found. */
export const requireGuild = (guildId: GuildId, found: Option.Option<Guild>): Either.Either<Guild, UnknownGuild> =>
  Either.fromOption(found, () => new UnknownGuild({ guildId }))
