import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Option, Schema } from "effect"
import { field, Int32, Int64, nullable, Snowflake } from "../wire/WireType.ts"

/** A member in a search result. Source: API reference, GuildMember; API gaps, Wire conventions and Member search. */
export const GuildMemberResource = Schema.Struct({
  id: field(
    Schema.String.annotations({ jsonSchema: { type: "string", pattern: "^(0|[1-9][0-9]*):(0|[1-9][0-9]*)$" } }),
    "`guild_id:user_id`."
  ),
  guild_id: field(Snowflake, "The guild."),
  user_id: field(Snowflake, "The account."),
  username: field(Schema.String, "The name of the account."),
  discriminator: field(
    Schema.String.annotations({ jsonSchema: { type: "string", pattern: "^[0-9]{4}$" } }),
    "Four digits that distinguish accounts with the same name."
  ),
  global_name: field(nullable(Schema.String), "The display name of the account."),
  nickname: field(nullable(Schema.String), "The name in this guild."),
  role_ids: field(Schema.Array(Snowflake), "The roles of the member."),
  joined_at: field(Int64, "When the member joined: a Unix timestamp in seconds."),
  supplemental: field(
    Schema.Struct({
      source_invite_code: field(nullable(Schema.String), "The code of the invite that the member joined with."),
      inviter_id: field(nullable(Snowflake), "The account that invited the member."),
      join_source_type: field(
        nullable(Int32),
        "0 creator, 1 invite, 2 vanity link, 3 bot consent, 4 added by an administrator, 6 discovery; or another."
      )
    }),
    "How the member joined."
  ),
  is_bot: field(Schema.Boolean, "Whether the account is a bot.")
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
