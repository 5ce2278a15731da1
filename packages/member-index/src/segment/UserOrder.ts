import * as Bitset from "./Bitset.ts"
import type { NumberColumns } from "./RadixOrder.ts"
import { compareHalves, millisOf } from "./SnowflakeHalves.ts"

/**
 * The ordinals of a segment ordered by user id, which is the order in which the accounts were created. Binary search finds a
 * user, and accounts of a time span are a range of that order.
 */
export class UserOrder {
  /** The ordinals ordered by user id. */
  readonly ordinals: Uint16Array
  readonly #ids: NumberColumns

  constructor(ordinals: Uint16Array, ids: NumberColumns) {
    this.ordinals = ordinals
    this.#ids = ids
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
    for (const ordinal of this.ordinals.subarray(from, to)) Bitset.insert(target, ordinal)
  }
}
