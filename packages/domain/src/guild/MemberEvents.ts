import { UserId } from "../account/User.ts"
import { event } from "../shared-kernel/Event.ts"
import { GuildId } from "./Guild.ts"

/** An account joined a guild. */
export const MemberJoined = event("member.joined", { guildId: GuildId, userId: UserId })

/** A member's nickname or roles changed. */
export const MemberUpdated = event("member.updated", { guildId: GuildId, userId: UserId })

/** An account left a guild. */
export const MemberLeft = event("member.left", { guildId: GuildId, userId: UserId })

/** Makes the event of an account that joined a guild. The ids are already validated. */
export const memberJoined = (guildId: GuildId, userId: UserId): typeof MemberJoined.Type => ({
  _tag: "member.joined",
  version: 1,
  guildId,
  userId
})

/** Makes the event of a member whose nickname or roles changed. The ids are already validated. */
export const memberUpdated = (guildId: GuildId, userId: UserId): typeof MemberUpdated.Type => ({
  _tag: "member.updated",
  version: 1,
  guildId,
  userId
})

/** Makes the event of an account that left a guild. The ids are already validated. */
export const memberLeft = (guildId: GuildId, userId: UserId): typeof MemberLeft.Type => ({
  _tag: "member.left",
  version: 1,
  guildId,
  userId
})
