import * as Bitset from "./Bitset.ts"

/*
 * The members of a segment that have a field, ordered by its length, then by user id: the order of members within a
 * class of relevance. For a very large class, walking this order until enough hits are found is faster than checking
 * all members.
 */

/** A length of 255 or more is stored as 255. */
const SHORT_LENGTHS = 256

export class LengthOrder {
  /** By ordinal: the field's length in code points, 255 for 255 or more. */
  readonly short: Uint8Array
  readonly #ordinals: Uint16Array

  /** Orders the fields that are not empty. `byUser` has the ordinals ordered by user id. */
  constructor(short: Uint8Array, byUser: Uint16Array, lengthOf: (ordinal: number) => number) {
    this.short = short
    const next = new Uint32Array(SHORT_LENGTHS + 1)
    for (const length of short) next[length + 1] = (next[length + 1] ?? 0) + 1
    const empty = next[1] ?? 0
    next[1] = 0
    for (let length = 1; length < SHORT_LENGTHS; length += 1) {
      next[length + 1] = (next[length + 1] ?? 0) + (next[length] ?? 0)
    }
    const firstLong = next[SHORT_LENGTHS - 1] ?? 0
    this.#ordinals = new Uint16Array(short.length - empty)
    for (const ordinal of byUser) {
      const length = short[ordinal] ?? 0
      if (length === 0) continue
      const slot = next[length] ?? 0
      this.#ordinals[slot] = ordinal
      next[length] = slot + 1
    }
    if (firstLong < this.#ordinals.length) {
      // The sort is stable: fields of equal length remain ordered by user id.
      const long = Array.from(this.#ordinals.subarray(firstLong), (ordinal) => ({ ordinal, length: lengthOf(ordinal) }))
        .sort((self, that) => self.length - that.length)
      this.#ordinals.set(long.map(({ ordinal }) => ordinal), firstLong)
    }
  }

  bytes(): number {
    return this.short.byteLength + this.#ordinals.byteLength
  }

  /** Returns the number of members with a short length in this range (inclusive). */
  countFrom(shortest: number, longest: number): number {
    return this.#rankOf(longest + 1) - this.#rankOf(shortest)
  }

  /** Visits the members that are in the set, shortest first, until the visitor returns false. */
  visit(bits: Uint32Array, shortest: number, longest: number, goesOn: (ordinal: number) => boolean): void {
    const end = this.#rankOf(longest + 1)
    for (let rank = this.#rankOf(shortest); rank < end; rank += 1) {
      const ordinal = this.#ordinals[rank] ?? 0
      if (Bitset.has(bits, ordinal) && !goesOn(ordinal)) return
    }
  }

  /** Returns the number of shorter members. */
  #rankOf(length: number): number {
    let from = 0
    let to = this.#ordinals.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.short[this.#ordinals[middle] ?? 0] ?? 0) < length) from = middle + 1
      else to = middle
    }
    return from
  }
}
