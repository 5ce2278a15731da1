import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberChanges } from "./CommittedMembers.ts"
import * as IndexMetrics from "./IndexMetrics.ts"
import type { MemberIndex } from "./MemberIndex.ts"
import * as RecentMembers from "./RecentMembers.ts"

/** A cached index, and the members that it has to read again. */
export interface KeptIndex {
  readonly guildId: GuildId
  readonly index: MemberIndex
  /** The number of its build. No other index of this cache has the same. */
  readonly build: number
  /** It has all changes up to this position, which may be larger than that of the cache. */
  readonly position: number
  /** The members that changed: they must be read again before the next search. */
  readonly outdated: Set<UserId>
  /** Its memory when it was last measured, in bytes. */
  bytes: number
  /** When it was last used, in milliseconds of the caller's clock. */
  usedAt: number
}

/**
 * The cached indexes, least recently used first. Each committed change is read once for all indexes, and each index is
 * updated at its next search.
 */
export interface IndexCache {
  /** Members of recent pages, in their state at the position. */
  readonly recent: RecentMembers.RecentMembers
  /** The position up to which changes were read for all indexes; none if the cache is empty. */
  readonly position: () => number | undefined
  /** Returns the guild's index and marks it as the most recently used, now. */
  readonly use: (guildId: GuildId, now: number) => KeptIndex | undefined
  readonly isKept: (entry: KeptIndex) => boolean
  /** Adds an index that is up to date at this position, except for the outdated members. */
  readonly keep: (
    guildId: GuildId,
    index: MemberIndex,
    outdated: Set<UserId>,
    position: number,
    now: number
  ) => void
  /** Marks changed members as outdated. Drops an index with too many of them. */
  readonly markOutdated: (read: MemberChanges) => void
  /** Measures the index, and drops the least recently used ones if all together need too much memory. */
  readonly measure: (entry: KeptIndex) => void
  readonly drop: (guildId: GuildId) => void
  /** Drops the indexes that were last used before this moment. */
  readonly dropUnusedSince: (moment: number) => void
  readonly dropAll: () => void
}

/** Makes an empty cache of at most `maxBytes`. The most recently used index alone may exceed it. */
export const make = (options: { readonly maxBytes: number; readonly maxOutdated: number }): IndexCache => {
  // A map iterates in insertion order.
  const entries = new Map<GuildId, KeptIndex>()
  const recent = RecentMembers.make()
  let known: number | undefined
  let bytes = 0
  let builds = 0

  const countBytes = (difference: number) => {
    bytes += difference
    IndexMetrics.countBytes(difference)
  }

  const drop = (guildId: GuildId) => {
    countBytes(-(entries.get(guildId)?.bytes ?? 0))
    if (entries.delete(guildId)) IndexMetrics.countIndex(-1)
    if (entries.size > 0) return
    known = undefined
    recent.clear()
  }

  const isKept = (entry: KeptIndex) => entries.get(entry.guildId) === entry

  const measure = (entry: KeptIndex) => {
    if (!isKept(entry)) return
    const now = entry.index.bytes()
    countBytes(now - entry.bytes)
    entry.bytes = now
    for (const guildId of entries.keys()) {
      if (bytes <= options.maxBytes || entries.size === 1) return
      drop(guildId)
    }
  }

  return {
    recent,
    position: () => known,
    use: (guildId, now) => {
      const entry = entries.get(guildId)
      if (entry !== undefined) {
        entry.usedAt = now
        entries.delete(guildId)
        entries.set(guildId, entry)
      }
      return entry
    },
    isKept,
    keep: (guildId, index, outdated, position, now) => {
      drop(guildId)
      builds += 1
      const entry = { guildId, index, build: builds, position, outdated, bytes: 0, usedAt: now }
      entries.set(guildId, entry)
      IndexMetrics.countIndex(1)
      known ??= position
      measure(entry)
    },
    markOutdated: ({ changes, position }) => {
      for (const { guildId, userId } of changes) {
        recent.remove(guildId, userId)
        const outdated = entries.get(guildId)?.outdated.add(userId)
        if (outdated !== undefined && outdated.size > options.maxOutdated) drop(guildId)
      }
      if (entries.size > 0) known = position
    },
    measure,
    drop,
    dropUnusedSince: (moment) => {
      for (const [guildId, { usedAt }] of entries) {
        if (usedAt >= moment) return
        drop(guildId)
      }
    },
    dropAll: () => {
      for (const guildId of entries.keys()) drop(guildId)
    }
  }
}
