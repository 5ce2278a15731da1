import * as Bitset from "./Bitset.ts"

/*
 * The members of a segment that have a field, in the order of its length, then of user id: what orders those that a
 * query fits alike. Where very many do, the best of them are found by walking this order until enough are met, instead
 * of by looking at all of them.
 */

/** A length of 255 or more is kept as 255. */
const SHORT_LENGTHS = 256

export class LengthOrder {
  /** By ordinal: the field's length in code points, 255 for that and more. */
  readonly short: Uint8Array
  readonly #ordinals: Uint16Array

  /** The order of the fields that are not empty. `byUser` are the ordinals in the order of user ids. */
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
      // The sort is stable: what is of one length stays in the order of user ids.
      const long = Array.from(this.#ordinals.subarray(firstLong), (ordinal) => ({ ordinal, length: lengthOf(ordinal) }))
        .sort((self, that) => self.length - that.length)
      this.#ordinals.set(long.map(({ ordinal }) => ordinal), firstLong)
    }
  }

  bytes(): number {
    return this.short.byteLength + this.#ordinals.byteLength
  }

  /** How many have a short length from one to another, the latter inclusive. */
  countFrom(shortest: number, longest: number): number {
    return this.#rankOf(longest + 1) - this.#rankOf(shortest)
  }

  /** Visits those of them who are in the set, the shortest first, for as long as the visitor goes on. */
  visit(bits: Uint32Array, shortest: number, longest: number, goesOn: (ordinal: number) => boolean): void {
    const end = this.#rankOf(longest + 1)
    for (let rank = this.#rankOf(shortest); rank < end; rank += 1) {
      const ordinal = this.#ordinals[rank] ?? 0
      if (Bitset.has(bits, ordinal) && !goesOn(ordinal)) return
    }
  }

  /** How many are shorter. */
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
