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

  /** Visits the first so many that are in the set, or the last ones, backwards. */
  visitFirst(bits: Uint32Array, wanted: number, isBackwards: boolean, visit: (ordinal: number) => void): void {
    const ordinals = this.#ordinals
    const step = isBackwards ? -1 : 1
    let left = wanted
    for (let at = isBackwards ? ordinals.length - 1 : 0; left > 0 && at >= 0 && at < ordinals.length; at += step) {
      const ordinal = ordinals[at] ?? 0
      if (!Bitset.has(bits, ordinal)) continue
      visit(ordinal)
      left -= 1
    }
  }
}
