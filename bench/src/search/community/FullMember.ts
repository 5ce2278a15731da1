import { Discriminator } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Option } from "effect"
import type { CommunityMember } from "./Community.ts"

const DISCRIMINATOR = Discriminator.make(0)

/** The member as an entity of the domain. */
export const fullMember = (guildId: GuildId, member: CommunityMember): GuildMember => ({
  guildId,
  userId: member.userId,
  nickname: Option.fromNullable(member.nickname),
  roleIds: member.roleIds,
  joinedAt: member.joinedAt,
  joinSourceType: Option.fromNullable(member.joinSourceType),
  sourceInviteCode: Option.fromNullable(member.sourceInviteCode),
  inviterId: Option.none(),
  username: member.username,
  discriminator: DISCRIMINATOR,
  globalName: Option.fromNullable(member.globalName),
  isBot: member.isBot
})
