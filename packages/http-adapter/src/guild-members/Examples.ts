import { Discriminator, UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { JOIN_SOURCE_TYPE } from "@community-messaging/domain/guild/Membership"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { Option, type Schema } from "effect"
import type { Example } from "../wire/Example.ts"
import type { MemberSearchBody, MemberSearchResult } from "./Api.ts"
import { fromEntity } from "./GuildMemberResource.ts"

const guildId = GuildId.make("573071110963200001")

const member = GuildMember.make({
  guildId,
  userId: UserId.make("406135920647996647"),
  username: "jokull.thorsson",
  discriminator: Discriminator.make(0),
  globalName: Option.some("Jökull Þórsson"),
  nickname: Option.some("kiln keeper"),
  roleIds: [RoleId.make("573071110963200012")],
  joinedAt: 1_695_534_437,
  joinSourceType: Option.some(JOIN_SOURCE_TYPE.invite),
  sourceInviteCode: Option.some("riverside"),
  inviterId: Option.some(UserId.make("573071110963200003")),
  isBot: false
})

const search: Schema.Schema.Encoded<typeof MemberSearchBody> = {
  query: "jokull",
  role_ids: ["573071110963200012"],
  is_bot: false,
  sort_by: "relevance",
  limit: 10
}

const page: MemberSearchResult = {
  guild_id: guildId,
  members: [fromEntity(member)],
  page_result_count: 1,
  total_result_count: 1,
  indexing: false
}

/** The example of the search for members. */
export const guildMembers = {
  searchGuildMembers: {
    parameters: { guild_id: guildId },
    request: search,
    response: page,
    violations: [
      { path: "limit", message: "must be 1 to 100", code: "NUMBER_OUT_OF_RANGE" },
      { path: "role_ids.1", message: "must be a string", code: "INVALID_FORMAT" },
      { path: "sort_by", message: "must be one of: joinedAt, relevance", code: "INVALID_ENUM_VALUE" }
    ]
  }
} satisfies Record<string, Example>
