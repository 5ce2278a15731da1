import { UserId } from "../account/User.ts"
import { event } from "../shared-kernel/Event.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { GuildId } from "./Guild.ts"

/** An account joined a guild. */
export const MemberJoined = event("member.joined", { guildId: GuildId, userId: UserId })

/** A member's nickname or roles changed. */
export const MemberUpdated = event("member.updated", { guildId: GuildId, userId: UserId })

/** An account left a guild. */
export const MemberLeft = event("member.left", { guildId: GuildId, userId: UserId })

// What the constructors below take is checked already.

export const memberJoined = (guildId: GuildId, userId: UserId): typeof MemberJoined.Type =>
  MemberJoined.make({ version: 1, guildId, userId }, PARTS_CHECKED)

export const memberUpdated = (guildId: GuildId, userId: UserId): typeof MemberUpdated.Type =>
  MemberUpdated.make({ version: 1, guildId, userId }, PARTS_CHECKED)

export const memberLeft = (guildId: GuildId, userId: UserId): typeof MemberLeft.Type =>
  MemberLeft.make({ version: 1, guildId, userId }, PARTS_CHECKED)
