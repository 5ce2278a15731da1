import * as Users from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Option } from "effect"

/** A member of the guild: the account with that number. */
export const member = (guildId: GuildId, number: number, changes: Partial<GuildMember> = {}): GuildMember => ({
  guildId,
  userId: Users.UserId.make(String(number)),
  username: `ada${number}`,
  discriminator: Users.Discriminator.make(0),
  globalName: Option.none(),
  isBot: false,
  nickname: Option.none(),
  roleIds: [],
  joinedAt: number,
  joinSourceType: Option.none(),
  sourceInviteCode: Option.none(),
  inviterId: Option.none(),
  ...changes
})
