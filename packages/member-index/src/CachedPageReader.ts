import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Effect, Option } from "effect"
import type { MembersAt } from "./CommittedMembers.ts"
import type { IndexCache } from "./IndexCache.ts"

/**
 * Reads the members of a page that are not among the recent ones, and whether the guild has changed after the position. If
 * not, its recent members have their state at the position: the changes up to the position of the cache, which is not
 * smaller, are removed from them.
 */
export const make =
  (kept: IndexCache, now: () => number, readPage: MembersAt<GuildMember>): MembersAt<GuildMember> =>
  (guildId, userIds, position) =>
    Effect.suspend(() => {
      const recent = kept.recent.of(guildId, now())
      // Found before the read, during which another search may remove those that change.
      const known = userIds.map((userId) => recent.get(userId))
      const missing = userIds.filter((_, index) => known[index] === undefined)
      return Effect.map(
        readPage(guildId, missing, position),
        Option.map((read) => {
          // At a larger position, a change of these members may have been read already, and is not read again.
          if (read.length > 0 && kept.position() === position) kept.recent.add(guildId, read, now())
          const members = new Map(read.map((member) => [member.userId, member]))
          return userIds.flatMap((userId, index) => known[index] ?? members.get(userId) ?? [])
        })
      )
    })
