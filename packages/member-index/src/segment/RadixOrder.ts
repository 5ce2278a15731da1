/*
 * The ordinals of a segment in an order of 64-bit numbers: a stable radix sort from the least significant byte (LSD).
 */

import { compareHalves } from "./SnowflakeHalves.ts"

/** The numbers by ordinal, as two columns of 32 bits. */
export interface NumberColumns {
  readonly high: Uint32Array
  readonly low: Uint32Array
}

/** Returns the ordinals, which may have another order before, in the order of the numbers. Pauses after each byte. */
export function* order(numbers: NumberColumns, ordinals: Uint16Array): Generator<undefined, Uint16Array> {
  if (areInOrder(numbers, ordinals)) return ordinals
  const { high, low } = numbers
  let sorted = ordinals.slice()
  let moved = new Uint16Array(ordinals.length)
  for (const column of [low, high]) {
    for (let shift = 0; shift < 32; shift += 8) {
      if (moveByByte(column, shift, sorted, moved)) [sorted, moved] = [moved, sorted]
      yield
    }
  }
  return sorted
}

/** Returns whether the ordinals are in the order of their numbers, as they are if members were read in this order. */
const areInOrder = ({ high, low }: NumberColumns, ordinals: Uint16Array): boolean =>
  ordinals.every((ordinal, index) => {
    const before = ordinals[index - 1] ?? ordinal
    return compareHalves(high[before] ?? 0, low[before] ?? 0, high[ordinal] ?? 0, low[ordinal] ?? 0) <= 0
  })

/** Sorts by one byte of the column. Returns false if all bytes are equal, so that nothing moved. */
const moveByByte = (column: Uint32Array, shift: number, sorted: Uint16Array, moved: Uint16Array): boolean => {
  const next = new Uint32Array(257)
  for (const value of column) {
    const byte = (value >>> shift) & 0xff
    next[byte + 1] = (next[byte + 1] ?? 0) + 1
  }
  if (next.includes(column.length)) return false
  for (let byte = 0; byte < 256; byte += 1) next[byte + 1] = (next[byte + 1] ?? 0) + (next[byte] ?? 0)
  for (const ordinal of sorted) {
    const byte = ((column[ordinal] ?? 0) >>> shift) & 0xff
    const slot = next[byte] ?? 0
    moved[slot] = ordinal
    next[byte] = slot + 1
  }
  return true
}
