import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { Option } from "effect"

/** The maximum memory of the members of all guilds together, in bytes, as estimated by `bytesOf`. */
export const MAX_RECENT_BYTES = 8 * 1024 ** 2

/**
 * All members are removed this long after the first of them was added, in milliseconds. A change that is missing in the log
 * of changes, for example one made while triggers were disabled, is seen after this time.
 */
export const RECENT_MILLIS = 10_000

const NONE: ReadonlyMap<UserId, GuildMember> = new Map()

const lengthOf = (text: Option.Option<string>): number => Option.isSome(text) ? text.value.length : 0

/** Estimates the memory of a member. A character takes at most two bytes. Equal lists of roles often share their memory. */
export const bytesOf = ({ globalName, nickname, roleIds, sourceInviteCode, username }: GuildMember): number =>
  500 + 48 * roleIds.length +
  2 * (username.length + lengthOf(globalName) + lengthOf(nickname) + lengthOf(sourceInviteCode))

/**
 * Members of recent pages. Searches often find them again: while a user types a name, or on the first page of a guild. Times
 * are in milliseconds of the caller's clock.
 */
export class RecentMembers {
  readonly #guilds = new Map<GuildId, Map<UserId, GuildMember>>()
  #bytes = 0
  /** When the first of the members was added. */
  #since = 0

  /** Returns the members of a guild by user id. Removes all members first if they are too old. */
  of(guildId: GuildId, now: number): ReadonlyMap<UserId, GuildMember> {
    if (now - this.#since >= RECENT_MILLIS) this.clear()
    return this.#guilds.get(guildId) ?? NONE
  }

  /** Adds members. Removes all others if they need too much memory. */
  add(guildId: GuildId, members: ReadonlyArray<GuildMember>, now: number): void {
    for (const { userId } of members) this.remove(guildId, userId)
    const added = members.reduce((sum, member) => sum + bytesOf(member), 0)
    if (this.#bytes + added > MAX_RECENT_BYTES) this.clear()
    if (this.#bytes === 0) this.#since = now
    if (added > MAX_RECENT_BYTES) return
    const ofGuild = this.#guilds.get(guildId) ?? new Map<UserId, GuildMember>()
    this.#guilds.set(guildId, ofGuild)
    for (const member of members) ofGuild.set(member.userId, member)
    this.#bytes += added
  }

  remove(guildId: GuildId, userId: UserId): void {
    const ofGuild = this.#guilds.get(guildId)
    const member = ofGuild?.get(userId)
    if (ofGuild === undefined || member === undefined) return
    ofGuild.delete(userId)
    if (ofGuild.size === 0) this.#guilds.delete(guildId)
    this.#bytes -= bytesOf(member)
  }

  clear(): void {
    this.#guilds.clear()
    this.#bytes = 0
  }
}
