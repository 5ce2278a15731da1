import * as Bitset from "./Bitset.ts"

/*
 * A set of ordinals of a segment, in the smaller of two forms (as in roaring bitmaps): a sorted list of 16-bit numbers
 * if it is sparse, a bitset if it is dense.
 */

/** A list is larger than a bitset if the set has more than one in this many members. */
const DENSE_SHARE = 16

export class OrdinalSet {
  readonly #list: Uint16Array
  readonly #bits: Uint32Array | undefined

  /** Makes the set of distinct ordinals, in any order. `members` is the number of members of the segment. */
  constructor(ordinals: Uint16Array, members: number) {
    if (ordinals.length * DENSE_SHARE <= members) {
      this.#list = ordinals.slice().sort()
      return
    }
    this.#list = new Uint16Array(0)
    this.#bits = Bitset.make(members)
    for (const ordinal of ordinals) Bitset.insert(this.#bits, ordinal)
  }

  bytes(): number {
    return this.#list.byteLength + (this.#bits?.byteLength ?? 0)
  }

  /** Adds this set to `target`. */
  uniteInto(target: Uint32Array): void {
    if (this.#bits === undefined) { for (const ordinal of this.#list) Bitset.insert(target, ordinal) }
    else Bitset.unite(target, this.#bits)
  }

  /** Keeps in `target` only the ordinals of this set. Overwrites `spare`. */
  intersectInto(target: Uint32Array, spare: Uint32Array): void {
    if (this.#bits !== undefined) {
      Bitset.intersect(target, this.#bits)
      return
    }
    spare.fill(0)
    for (const ordinal of this.#list) Bitset.insert(spare, ordinal)
    Bitset.intersect(target, spare)
  }

  /** Removes this set from `target`. */
  subtractFrom(target: Uint32Array): void {
    if (this.#bits === undefined) { for (const ordinal of this.#list) Bitset.drop(target, ordinal) }
    else Bitset.subtract(target, this.#bits)
  }

  forEach(visit: (ordinal: number) => void): void {
    for (const ordinal of this.#list) visit(ordinal)
    if (this.#bits !== undefined) Bitset.forEach(this.#bits, visit)
  }
}
