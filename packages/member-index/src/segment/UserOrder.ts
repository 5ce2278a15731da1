import * as Bitset from "./Bitset.ts"
import type { NumberColumns } from "./RadixOrder.ts"
import { compareHalves, millisOf } from "./UserIdHalves.ts"

/*
 * The ordinals of a segment ordered by user id, which is the order in which the accounts were created. Binary search
 * finds a user, and accounts of a time span are a range of that order. To avoid visiting each member of a long range,
 * the members before every eighth of the order are stored as bitsets: a range is the difference of two bitsets, and at
 * most a sixteenth of the members at either end.
 */

const PARTS = 8

export class UserOrder {
  /** The ordinals ordered by user id. */
  readonly ordinals: Uint16Array
  readonly #ids: NumberColumns
  readonly #partSize: number
  /** By part: the members before its end. */
  readonly #before: ReadonlyArray<Uint32Array>

  constructor(ordinals: Uint16Array, ids: NumberColumns) {
    this.ordinals = ordinals
    this.#ids = ids
    this.#partSize = Math.ceil(ordinals.length / PARTS)
    const bits = Bitset.make(ordinals.length)
    this.#before = Array.from({ length: PARTS }, (_, part) => {
      for (const ordinal of ordinals.subarray(part * this.#partSize, (part + 1) * this.#partSize)) {
        Bitset.insert(bits, ordinal)
      }
      return bits.slice()
    })
  }

  bytes(): number {
    return this.#before.reduce((sum, bits) => sum + bits.byteLength, this.ordinals.byteLength)
  }

  /** Returns the ordinal of the user; -1 if there is none. */
  find(high: number, low: number): number {
    const { high: highs, low: lows } = this.#ids
    const rank = this.#rankWhere((ordinal) => compareHalves(highs[ordinal] ?? 0, lows[ordinal] ?? 0, high, low) >= 0)
    const ordinal = this.ordinals[rank] ?? -1
    return ordinal !== -1 && highs[ordinal] === high && lows[ordinal] === low ? ordinal : -1
  }

  /** Returns the number of accounts before the first one for which `isLate` is true. */
  rankWhereMade(isLate: (millis: number) => boolean): number {
    const { high, low } = this.#ids
    return this.#rankWhere((ordinal) => isLate(millisOf(high[ordinal] ?? 0, low[ordinal] ?? 0)))
  }

  #rankWhere(isLate: (ordinal: number) => boolean): number {
    let from = 0
    let to = this.ordinals.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isLate(this.ordinals[middle] ?? 0)) to = middle
      else from = middle + 1
    }
    return from
  }

  /** Sets `target` to the members from one rank to another (exclusive). */
  fill(target: Uint32Array, from: number, to: number): void {
    target.fill(0)
    this.#flip(target, from)
    this.#flip(target, to)
  }

  /** Adds the members before this rank, or removes them again. */
  #flip(target: Uint32Array, rank: number): void {
    const nearest = Math.round(rank / Math.max(1, this.#partSize))
    const before = this.#before[nearest - 1]
    if (before !== undefined) {
      for (let index = 0; index < target.length; index += 1) target[index] = (target[index] ?? 0) ^ (before[index] ?? 0)
    }
    const edge = Math.min(nearest * this.#partSize, this.ordinals.length)
    for (let at = Math.min(rank, edge); at < Math.max(rank, edge); at += 1) {
      const ordinal = this.ordinals[at] ?? 0
      target[ordinal >>> 5] = (target[ordinal >>> 5] ?? 0) ^ (1 << (ordinal & 31))
    }
  }
}
