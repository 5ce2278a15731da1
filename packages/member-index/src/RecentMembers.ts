import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"

/** The maximum number of members of all guilds together: some six megabytes. */
export const MAX_RECENT_MEMBERS = 10_000

/**
 * How long a member is kept, in milliseconds. A change that is not in the log of changes, such as one made while triggers
 * are disabled, is not seen before.
 */
export const RECENT_MILLIS = 10_000

/** Members of recent pages, which are often found again: by the next letters of a name, or on the first page of a guild. */
export interface RecentMembers {
  /** Returns the members of a guild by user id. */
  readonly of: (guildId: GuildId, now: number) => ReadonlyMap<UserId, GuildMember>
  /** Adds members. Removes all others if there are too many. */
  readonly add: (guildId: GuildId, members: ReadonlyArray<GuildMember>, now: number) => void
  readonly remove: (guildId: GuildId, userId: UserId) => void
  readonly clear: () => void
}

const NONE: ReadonlyMap<UserId, GuildMember> = new Map()

/** Makes an empty cache. Times are in milliseconds of the caller's clock. */
export const make = (): RecentMembers => {
  const guilds = new Map<GuildId, Map<UserId, GuildMember>>()
  let size = 0
  /** When the first member was added. */
  let since = 0

  const clear = () => {
    guilds.clear()
    size = 0
  }

  return {
    of: (guildId, now) => {
      if (now - since >= RECENT_MILLIS) clear()
      return guilds.get(guildId) ?? NONE
    },
    add: (guildId, members, now) => {
      if (size + members.length > MAX_RECENT_MEMBERS) clear()
      if (size === 0) since = now
      const known = guilds.get(guildId) ?? new Map<UserId, GuildMember>()
      guilds.set(guildId, known)
      size -= known.size
      for (const member of members) known.set(member.userId, member)
      size += known.size
    },
    remove: (guildId, userId) => {
      if (guilds.get(guildId)?.delete(userId) === true) size -= 1
    },
    clear
  }
}
