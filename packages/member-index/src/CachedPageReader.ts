import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Effect, Option } from "effect"
import type { CommittedMembers, HasLastChange, MembersAt } from "./CommittedMembers.ts"
import type { IndexCache } from "./IndexCache.ts"
import type { PageReader } from "./IndexedSearch.ts"

/**
 * Makes a reader of pages. It takes recent members from memory, and reads the others and the guild's last change. If the guild
 * has not changed after the position, the members in memory are right: the cache has removed those that changed up to its own
 * position, which is not smaller.
 *
 * The caller is read together with the guild's last change if all members of the page before, of any guild, were in memory, and
 * if some members of this guild are. If a member of the page is not in memory after all, or the guild has changed, the page is
 * read as without it.
 */
export const make = (
  cache: IndexCache,
  now: () => number,
  { caller: readCaller, callerWithLastChange, reader: { page: readPage } }: CommittedMembers
): PageReader => {
  let wasInMemory = false

  const readMissing = (
    guildId: GuildId,
    missing: ReadonlyArray<UserId>,
    position: number,
    hasLastChange: HasLastChange
  ) =>
    // If the cache has a larger position now, its recent members may have later changes than the index had. And the last change
    // may have had no number yet when it was read, and be in the index now.
    missing.length === 0 && cache.position === position && hasLastChange(position)
      ? Effect.succeedSome([])
      : readPage(guildId, missing, position)

  const readWith = (hasLastChange: HasLastChange): MembersAt<GuildMember> => (guildId, userIds, position) =>
    Effect.suspend(() => {
      const recent = cache.recent.of(guildId, now())
      // Taken before the read, because another search may remove changed members during it.
      const found = userIds.map((userId) => recent.get(userId))
      const missing = userIds.filter((_, index) => found[index] === undefined)
      wasInMemory = missing.length === 0
      return Effect.map(
        readMissing(guildId, missing, position, hasLastChange),
        Option.map((read: ReadonlyArray<GuildMember>) => {
          // If the cache has a larger position now, it has read the changes up to there, and would not remove members for them.
          if (read.length > 0 && cache.position === position) cache.recent.add(guildId, read, now())
          const members = new Map(read.map((member) => [member.userId, member]))
          return userIds.flatMap((userId, index) => found[index] ?? members.get(userId) ?? [])
        })
      )
    })

  const read = readWith(() => false)
  const begin: PageReader["begin"] = (callerId, guildId) =>
    Effect.suspend(() =>
      wasInMemory && cache.recent.of(guildId, now()).size > 0
        ? Effect.map(callerWithLastChange(callerId, guildId), ({ caller, hasLastChange }) => ({
          caller,
          readPage: readWith(hasLastChange)
        }))
        : Effect.map(readCaller(guildId, callerId), (caller) => ({ caller, readPage: read }))
    )
  return { read, begin }
}
