import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, type Exit, Fiber, Option } from "effect"
import type { CommittedMembers, HasLastChange, MembersAt } from "./CommittedMembers.ts"
import type { IndexCache } from "./IndexCache.ts"
import type { PageReader } from "./IndexedSearch.ts"

/** A read of a guild's last change that has begun. */
type LastChange = Fiber.Fiber<Exit.Exit<HasLastChange, StorageError>>

/**
 * Makes a reader of pages that takes the recent members from memory, and reads the others and whether the guild has changed
 * after the position. If it has not, the recent members are right: those that changed up to the position of the cache were
 * removed, and that position is not smaller.
 *
 * If that read takes a round trip, it begins with the search if the last page of any guild was completely in memory, and
 * members of this guild are. If members of the page are not in memory after all, or the guild has changed, the page is read
 * as without it.
 */
export const make = (
  kept: IndexCache,
  now: () => number,
  readPage: MembersAt<GuildMember>,
  readLastChange: CommittedMembers["lastChange"]
): PageReader => {
  let wasInMemory = false

  const readMissing = (
    guildId: GuildId,
    missing: ReadonlyArray<UserId>,
    position: number,
    begun: Option.Option<LastChange>
  ) =>
    // If the cache has a larger position now, its recent members may have later changes than the index had.
    missing.length === 0 && Option.isSome(begun) && kept.position() === position
      ? Effect.flatMap(
        Effect.flatten(Fiber.join(begun.value)),
        // The change may have had no number yet when it was read, and be in the index now.
        (hasLastChange) => hasLastChange(position) ? Effect.succeedSome([]) : readPage(guildId, missing, position)
      )
      : readPage(guildId, missing, position)

  const readAfter = (begun: Option.Option<LastChange>): MembersAt<GuildMember> => (guildId, userIds, position) =>
    Effect.suspend(() => {
      const recent = kept.recent.of(guildId, now())
      // Taken before the read, because another search may remove changed members during it.
      const found = userIds.map((userId) => recent.get(userId))
      const missing = userIds.filter((_, index) => found[index] === undefined)
      wasInMemory = missing.length === 0
      return Effect.map(
        readMissing(guildId, missing, position, begun),
        Option.map((read: ReadonlyArray<GuildMember>) => {
          // If the cache has a larger position now, it has read the changes up to there, and would not remove members for them.
          if (read.length > 0 && kept.position() === position) kept.recent.add(guildId, read, now())
          const members = new Map(read.map((member) => [member.userId, member]))
          return userIds.flatMap((userId, index) => found[index] ?? members.get(userId) ?? [])
        })
      )
    })

  const read = readAfter(Option.none())
  const begin = (guildId: GuildId) =>
    Effect.suspend(() => {
      if (Option.isNone(readLastChange) || !wasInMemory || kept.recent.of(guildId, now()).size === 0) {
        return Effect.succeed(read)
      }
      // A daemon, because an interruption would close the connection of a read that is not answered at once.
      const reading = Effect.forkDaemon(Effect.exit(readLastChange.value(guildId)))
      return Effect.map(reading, (begun) => readAfter(Option.some(begun)))
    })
  return { read, begin }
}
