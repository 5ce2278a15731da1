import { UserId } from "../account/User.ts"
import { event } from "../shared-kernel/Event.ts"
import { GuildId } from "./Guild.ts"

/** An account joined a guild. */
export const MemberJoined = event("member.joined", { guildId: GuildId, userId: UserId })

/** A member's nickname or roles changed. */
export const MemberUpdated = event("member.updated", { guildId: GuildId, userId: UserId })

/** An account left a guild. */
export const MemberLeft = event("member.left", { guildId: GuildId, userId: UserId })
