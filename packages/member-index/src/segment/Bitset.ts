/*
 * Sets of ordinals as bitsets: bit `i` is set if `i` is in the set. A segment of 65,536 members takes 8 KB, which fits
 * into the processor's L1 cache. Two sets are combined 32 members at a time. Sets of a segment are equally long.
 */

/** Makes an empty set of ordinals below this size. */
export const make = (size: number): Uint32Array => new Uint32Array((size + 31) >>> 5)

export const has = (bits: Uint32Array, index: number): boolean => ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0

export const insert = (bits: Uint32Array, index: number): void => {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31))
}

export const drop = (bits: Uint32Array, index: number): void => {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) & ~(1 << (index & 31))
}

/** Returns the number of set bits in the word: summed in pairs, then in fours, then in bytes. */
export const countWord = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Returns the index of the lowest set bit of a word that is not 0. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

/** Returns the index of the highest set bit of a word that is not 0. */
const highestBit = (word: number): number => 31 - Math.clz32(word)

/**
 * Returns the number of set bits. Adds four words at a time with full adders, one for each bit, and counts the bits of the
 * carries only (Harley–Seal). It takes half the time of counting the bits of each word.
 */
export const count = (bits: Uint32Array): number => {
  let ones = 0
  let twos = 0
  let fours = 0
  let index = 0
  for (; index + 3 < bits.length; index += 4) {
    const first = bits[index] ?? 0
    const second = bits[index + 1] ?? 0
    const third = bits[index + 2] ?? 0
    const fourth = bits[index + 3] ?? 0
    const half = ones ^ first
    const carry = (ones & first) | (half & second)
    ones = half ^ second
    const otherHalf = ones ^ third
    const otherCarry = (ones & third) | (otherHalf & fourth)
    ones = otherHalf ^ fourth
    const halfOfTwos = twos ^ carry
    fours += countWord((twos & carry) | (halfOfTwos & otherCarry))
    twos = halfOfTwos ^ otherCarry
  }
  let total = 4 * fours + 2 * countWord(twos) + countWord(ones)
  for (; index < bits.length; index += 1) total += countWord(bits[index] ?? 0)
  return total
}

/** Returns whether more bits than the limit are set. Stops as soon as they are. */
export const hasMoreThan = (bits: Uint32Array, limit: number): boolean => {
  let total = 0
  for (let index = 0; index < bits.length; index += 1) {
    const word = bits[index] ?? 0
    if (word === 0) continue
    total += countWord(word)
    if (total > limit) return true
  }
  return false
}

/** Sets `target` to the intersection of both sets. Returns the count. `target` may be one of the two. */
export const intersection = (target: Uint32Array, bits: Uint32Array, other: Uint32Array): number => {
  let total = 0
  for (let index = 0; index < target.length; index += 1) {
    const common = (bits[index] ?? 0) & (other[index] ?? 0)
    target[index] = common
    total += countWord(common)
  }
  return total
}

/** Sets `target` to the intersection of both. */
export const intersect = (target: Uint32Array, other: Uint32Array): void => {
  for (let index = 0; index < target.length; index += 1) target[index] = (target[index] ?? 0) & (other[index] ?? 0)
}

export const unite = (target: Uint32Array, other: Uint32Array): void => {
  for (let index = 0; index < target.length; index += 1) target[index] = (target[index] ?? 0) | (other[index] ?? 0)
}

export const subtract = (target: Uint32Array, other: Uint32Array): void => {
  for (let index = 0; index < target.length; index += 1) target[index] = (target[index] ?? 0) & ~(other[index] ?? 0)
}

/** Sets `bits` to the range from `from` to `to` (exclusive). */
export const fillRange = (bits: Uint32Array, from: number, to: number): void => {
  bits.fill(0)
  if (from >= to) return
  const first = from >>> 5
  const last = (to - 1) >>> 5
  bits.fill(0xffff_ffff, first, last + 1)
  bits[first] = (bits[first] ?? 0) & (0xffff_ffff << (from & 31))
  bits[last] = (bits[last] ?? 0) & (0xffff_ffff >>> (31 - ((to - 1) & 31)))
}

/** Returns the first set bit from `from` on; -1 if there is none. */
export const nextFrom = (bits: Uint32Array, from: number): number => {
  let index = from >>> 5
  if (index >= bits.length) return -1
  let word = (bits[index] ?? 0) & (0xffff_ffff << (from & 31))
  while (word === 0) {
    index += 1
    if (index >= bits.length) return -1
    word = bits[index] ?? 0
  }
  return (index << 5) + lowestBit(word)
}

/** Returns the last set bit up to and including `from`; -1 if there is none. */
export const previousFrom = (bits: Uint32Array, from: number): number => {
  if (from < 0) return -1
  let index = from >>> 5
  let word = (bits[index] ?? 0) & (0xffff_ffff >>> (31 - (from & 31)))
  while (word === 0) {
    index -= 1
    if (index < 0) return -1
    word = bits[index] ?? 0
  }
  return (index << 5) + highestBit(word)
}

export const forEach = (bits: Uint32Array, visit: (index: number) => void): void => {
  for (let index = 0; index < bits.length; index += 1) {
    for (let word = bits[index] ?? 0; word !== 0; word &= word - 1) visit((index << 5) + lowestBit(word))
  }
}
