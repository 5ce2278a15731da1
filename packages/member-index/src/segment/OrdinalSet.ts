import * as Bitset from "./Bitset.ts"

/*
 * A set of ordinals of a segment, in whichever of two forms is smaller (as roaring bitmaps do): a sorted list of 16-bit
 * numbers where it is sparse, a bitset where it is dense.
 */

/** A list is larger than a bitset where more than one in sixteen is in the set. */
const DENSE_SHARE = 16

const position = (list: Uint16Array, ordinal: number): number => {
  let from = 0
  let to = list.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((list[middle] ?? 0) < ordinal) from = middle + 1
    else to = middle
  }
  return from
}

export class OrdinalSet {
  readonly size: number
  readonly #list: Uint16Array
  readonly #bits: Uint32Array | undefined

  /** The set of those ordinals, in any order and none twice, of a segment with so many members. */
  constructor(ordinals: Uint16Array, members: number) {
    this.size = ordinals.length
    if (ordinals.length * DENSE_SHARE <= members) {
      this.#list = ordinals.slice().sort()
      return
    }
    this.#list = new Uint16Array(0)
    this.#bits = new Uint32Array(Bitset.wordsFor(members))
    for (const ordinal of ordinals) Bitset.insert(this.#bits, ordinal)
  }

  bytes(): number {
    return this.#list.byteLength + (this.#bits?.byteLength ?? 0)
  }

  has(ordinal: number): boolean {
    return this.#bits === undefined
      ? this.#list[position(this.#list, ordinal)] === ordinal
      : Bitset.has(this.#bits, ordinal)
  }

  /** Puts all of them into `target`. */
  uniteInto(target: Uint32Array, words: number): void {
    if (this.#bits === undefined) { for (const ordinal of this.#list) Bitset.insert(target, ordinal) }
    else Bitset.unite(target, this.#bits, words)
  }

  /** Leaves in `target` those that are in this set. `spare` is overwritten. */
  intersectInto(target: Uint32Array, words: number, spare: Uint32Array): void {
    if (this.#bits !== undefined) {
      Bitset.intersect(target, this.#bits, words)
      return
    }
    spare.fill(0, 0, words)
    for (const ordinal of this.#list) Bitset.insert(spare, ordinal)
    Bitset.intersect(target, spare, words)
  }

  /** Leaves in `target` those that are not in this set. */
  subtractFrom(target: Uint32Array, words: number): void {
    if (this.#bits === undefined) { for (const ordinal of this.#list) Bitset.drop(target, ordinal) }
    else Bitset.subtract(target, this.#bits, words)
  }

  forEach(visit: (ordinal: number) => void): void {
    for (const ordinal of this.#list) visit(ordinal)
    const bits = this.#bits ?? new Uint32Array(0)
    for (let index = 0; index < bits.length; index += 1) {
      for (let word = bits[index] ?? 0; word !== 0; word &= word - 1) visit((index << 5) + Bitset.lowestBit(word))
    }
  }
}
