import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Option, Schema } from "effect"
import { Int32, Int64, nullable, Snowflake } from "../wire/WireType.ts"

/** A member in a search result. Source: API reference, GuildMember; API gaps, Wire conventions and Member search. */
export const GuildMemberResource = Schema.Struct({
  id: Schema.String.annotations({
    jsonSchema: { type: "string", description: "guild_id:user_id", pattern: "^(0|[1-9][0-9]*):(0|[1-9][0-9]*)$" }
  }),
  guild_id: Snowflake,
  user_id: Snowflake,
  username: Schema.String,
  discriminator: Schema.String.annotations({
    jsonSchema: { type: "string", description: "Four digits.", pattern: "^[0-9]{4}$" }
  }),
  global_name: nullable(Schema.String),
  nickname: nullable(Schema.String),
  role_ids: Schema.Array(Snowflake),
  joined_at: Int64.annotations({
    jsonSchema: { type: "integer", format: "int64", description: "Unix time in whole seconds." }
  }),
  supplemental: Schema.Struct({
    source_invite_code: nullable(Schema.String),
    inviter_id: nullable(Snowflake),
    join_source_type: nullable(Int32.annotations({
      jsonSchema: {
        type: "integer",
        format: "int32",
        description:
          "0 creator, 1 invite, 2 vanity link, 3 bot consent, 4 added by an administrator, 6 discovery; or another."
      }
    }))
  }),
  is_bot: Schema.Boolean
}).annotations({ identifier: "GuildMember", description: "A member of a guild with the names of the account." })
export interface GuildMemberResource extends Schema.Schema.Type<typeof GuildMemberResource> {}

/** Converts a member to its resource. */
export const fromEntity = (member: GuildMember): GuildMemberResource => ({
  id: `${member.guildId}:${member.userId}`,
  guild_id: member.guildId,
  user_id: member.userId,
  username: member.username,
  discriminator: member.discriminator.toString().padStart(4, "0"),
  global_name: Option.getOrNull(member.globalName),
  nickname: Option.getOrNull(member.nickname),
  role_ids: member.roleIds,
  joined_at: member.joinedAt,
  supplemental: {
    source_invite_code: Option.getOrNull(member.sourceInviteCode),
    inviter_id: Option.getOrNull(member.inviterId),
    join_source_type: Option.getOrNull(member.joinSourceType)
  },
  is_bot: member.isBot
})
