import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Effect, Option } from "effect"
import type { MembersAt } from "./CommittedMembers.ts"
import type { IndexCache } from "./IndexCache.ts"

/**
 * Makes a reader of pages that takes the recent members from memory, and reads the others and whether the guild has changed
 * after the position. If it has not, the recent members are right: those that changed up to the position of the cache were
 * removed, and that position is not smaller.
 */
export const make =
  (kept: IndexCache, now: () => number, readPage: MembersAt<GuildMember>): MembersAt<GuildMember> =>
  (guildId, userIds, position) =>
    Effect.suspend(() => {
      const recent = kept.recent.of(guildId, now())
      // Taken before the read, because another search may remove changed members during it.
      const found = userIds.map((userId) => recent.get(userId))
      const missing = userIds.filter((_, index) => found[index] === undefined)
      return Effect.map(
        readPage(guildId, missing, position),
        Option.map((read) => {
          // If the cache has a larger position now, it has read the changes up to there, and would not remove members for them.
          if (read.length > 0 && kept.position() === position) kept.recent.add(guildId, read, now())
          const members = new Map(read.map((member) => [member.userId, member]))
          return userIds.flatMap((userId, index) => found[index] ?? members.get(userId) ?? [])
        })
      )
    })
