import type { UserId } from "@community-messaging/domain/account/User"
import type { ChangedMember } from "./ChangedMember.ts"
import { WordColumn } from "./GrowingColumn.ts"

/** The estimated memory of a changed member in bytes: its objects, strings and array slots. */
const BYTES_PER_MEMBER = 1000

/**
 * The changed members of a segment: some hundreds, which each search checks one by one. The letters of their names are
 * in one array, so that a search skips most members without reading their objects.
 */
export class ChangedMembers {
  readonly #places = new Map<UserId, number>()
  readonly #members: Array<ChangedMember> = []
  readonly #letters = new WordColumn(8)

  get size(): number {
    return this.#members.length
  }

  bytes(): number {
    return this.#members.length * BYTES_PER_MEMBER
  }

  all(): ReadonlyArray<ChangedMember> {
    return this.#members
  }

  get(userId: UserId): ChangedMember | undefined {
    const place = this.#places.get(userId)
    return place === undefined ? undefined : this.#members[place]
  }

  /** Adds a member that is not in the set. */
  add(member: ChangedMember): void {
    this.#places.set(member.member.userId, this.#members.length)
    this.#members.push(member)
    this.#letters.push(member.letters)
  }

  /** Removes a member. The last one takes its place. Returns false if it is not in the set. */
  delete(userId: UserId): boolean {
    const place = this.#places.get(userId)
    if (place === undefined) return false
    this.#places.delete(userId)
    const last = this.#members.pop()
    this.#letters.length -= 1
    if (last !== undefined && place < this.#members.length) {
      this.#members[place] = last
      this.#letters.values[place] = last.letters
      this.#places.set(last.member.userId, place)
    }
    return true
  }

  /** Returns the members whose names have all these letters (see `letterBits`) and that meet the condition. */
  find(letters: number, isWanted: (member: ChangedMember) => boolean): ReadonlyArray<ChangedMember> {
    const found: Array<ChangedMember> = []
    const { values } = this.#letters
    for (let place = 0; place < this.#members.length; place += 1) {
      if (((values[place] ?? 0) & letters) !== letters) continue
      const member = this.#members[place]
      if (member !== undefined && isWanted(member)) found.push(member)
    }
    return found
  }
}
