import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberChanges } from "./CommittedMembers.ts"
import * as IndexMetrics from "./IndexMetrics.ts"
import type { MemberIndex } from "./MemberIndex.ts"
import { RecentMembers } from "./RecentMembers.ts"

/** A cached index, and the members that it has to read again. */
export interface CachedIndex {
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
  /** Whether it waits for its maintenance, since it was updated. */
  isPending: boolean
}

/**
 * The cached indexes, least recently used first. Each committed change is read once for all indexes, and each index is
 * updated at its next search.
 */
export class IndexCache {
  /** Members of recent pages, in their state at the position. */
  readonly recent = new RecentMembers()
  readonly #maxBytes: number
  readonly #maxOutdated: number
  // A map iterates in insertion order.
  readonly #entries = new Map<GuildId, CachedIndex>()
  #position: number | undefined
  #bytes = 0
  #builds = 0

  /** Makes an empty cache of at most `maxBytes`. The most recently used index alone may exceed it. */
  constructor(options: { readonly maxBytes: number; readonly maxOutdated: number }) {
    this.#maxBytes = options.maxBytes
    this.#maxOutdated = options.maxOutdated
  }

  /** The position up to which changes were read for all indexes; none if the cache is empty. */
  get position(): number | undefined {
    return this.#position
  }

  /** Returns the guild's index and marks it as the most recently used, now. */
  use(guildId: GuildId, now: number): CachedIndex | undefined {
    const entry = this.#entries.get(guildId)
    if (entry !== undefined) {
      entry.usedAt = now
      this.#entries.delete(guildId)
      this.#entries.set(guildId, entry)
    }
    return entry
  }

  has(entry: CachedIndex): boolean {
    return this.#entries.get(entry.guildId) === entry
  }

  /** Adds an index that is up to date at this position, except for the outdated members. */
  add(guildId: GuildId, index: MemberIndex, outdated: Set<UserId>, position: number, now: number): void {
    this.drop(guildId)
    this.#builds += 1
    const entry = { guildId, index, build: this.#builds, position, outdated, bytes: 0, usedAt: now, isPending: false }
    this.#entries.set(guildId, entry)
    IndexMetrics.countIndex(1)
    this.#position ??= position
    this.measure(entry)
  }

  /** Marks changed members as outdated. Drops an index with too many of them. */
  markOutdated({ changes, position }: MemberChanges): void {
    for (const { guildId, userId } of changes) {
      this.recent.remove(guildId, userId)
      const outdated = this.#entries.get(guildId)?.outdated.add(userId)
      if (outdated !== undefined && outdated.size > this.#maxOutdated) this.drop(guildId)
    }
    if (this.#entries.size > 0) this.#position = position
  }

  /** Measures the index, and drops the least recently used ones if all together need too much memory. */
  measure(entry: CachedIndex): void {
    if (!this.has(entry)) return
    const now = entry.index.bytes()
    this.#countBytes(now - entry.bytes)
    entry.bytes = now
    for (const guildId of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes || this.#entries.size === 1) return
      this.drop(guildId)
    }
  }

  drop(guildId: GuildId): void {
    this.#countBytes(-(this.#entries.get(guildId)?.bytes ?? 0))
    if (this.#entries.delete(guildId)) IndexMetrics.countIndex(-1)
    if (this.#entries.size > 0) return
    this.#position = undefined
    this.recent.clear()
  }

  /** Drops the indexes that were last used before this moment. */
  dropUnusedSince(moment: number): void {
    for (const [guildId, { usedAt }] of this.#entries) {
      if (usedAt >= moment) return
      this.drop(guildId)
    }
  }

  dropAll(): void {
    for (const guildId of this.#entries.keys()) this.drop(guildId)
  }

  #countBytes(difference: number): void {
    this.#bytes += difference
    IndexMetrics.countBytes(difference)
  }
}
