import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberChanges } from "./CommittedMembers.ts"
import type { MemberIndex } from "./MemberIndex.ts"

/** An index that is kept, and what it does not know yet. */
export interface KeptIndex {
  readonly guildId: GuildId
  readonly index: MemberIndex
  /** Who has changed since: to be read anew before the index is asked. */
  readonly outdated: Set<UserId>
  /** The memory that it took when it was last measured, in bytes. */
  bytes: number
}

/**
 * The indexes that are kept, the least recently used first. What is committed is told to all of them at once, so that each
 * change is read once, and each index is brought up to date when it is asked.
 */
export interface IndexCache {
  /** The change up to which all indexes were told; none where there is no index. */
  readonly position: () => number | undefined
  /** The guild's index, from now on the most recently used. */
  readonly use: (guildId: GuildId) => KeptIndex | undefined
  readonly isKept: (entry: KeptIndex) => boolean
  /** Takes an index that knows all up to that position but for the outdated. */
  readonly keep: (guildId: GuildId, index: MemberIndex, outdated: Set<UserId>, position: number) => void
  /** Tells of changes; an index with too many of them is dropped. */
  readonly tell: (news: MemberChanges) => void
  /** Measures the index, and drops the least recently used ones if all take too much. */
  readonly measure: (entry: KeptIndex) => void
  readonly drop: (guildId: GuildId) => void
  readonly dropAll: () => void
}

/** No indexes yet. They may take so many bytes together, though the last one used stays in any case. */
export const make = (options: { readonly maxBytes: number; readonly maxOutdated: number }): IndexCache => {
  // A map lists its entries in the order in which they were added.
  const entries = new Map<GuildId, KeptIndex>()
  let known: number | undefined
  let bytes = 0

  const drop = (guildId: GuildId) => {
    bytes -= entries.get(guildId)?.bytes ?? 0
    entries.delete(guildId)
    if (entries.size === 0) known = undefined
  }

  const isKept = (entry: KeptIndex) => entries.get(entry.guildId) === entry

  const measure = (entry: KeptIndex) => {
    if (!isKept(entry)) return
    const now = entry.index.bytes()
    bytes += now - entry.bytes
    entry.bytes = now
    for (const guildId of entries.keys()) {
      if (bytes <= options.maxBytes || entries.size === 1) return
      drop(guildId)
    }
  }

  return {
    position: () => known,
    use: (guildId) => {
      const entry = entries.get(guildId)
      if (entry !== undefined) {
        entries.delete(guildId)
        entries.set(guildId, entry)
      }
      return entry
    },
    isKept,
    keep: (guildId, index, outdated, position) => {
      drop(guildId)
      const entry = { guildId, index, outdated, bytes: 0 }
      entries.set(guildId, entry)
      known ??= position
      measure(entry)
    },
    tell: ({ changes, position }) => {
      for (const { guildId, userId } of changes) {
        const outdated = entries.get(guildId)?.outdated.add(userId)
        if (outdated !== undefined && outdated.size > options.maxOutdated) drop(guildId)
      }
      if (entries.size > 0) known = position
    },
    measure,
    drop,
    dropAll: () => {
      for (const guildId of entries.keys()) drop(guildId)
    }
  }
}
