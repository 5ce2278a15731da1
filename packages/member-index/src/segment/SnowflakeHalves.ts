import { UserId } from "@community-messaging/domain/account/User"
import { WITHOUT_VALIDATION } from "@community-messaging/domain/shared-kernel/WithoutValidation"

/*
 * Snowflakes as two 32-bit halves, for columns of numbers. The halves are computed in doubles, which are exact up to
 * 2^53. A BigInt for each of a million ids would cost more than all other work of adding a member.
 */

const TWO_TO_16 = 0x1_0000
const TWO_TO_32 = 0x1_0000_0000

const decimal = (digits: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index += 1) value = value * 10 + digits.charCodeAt(index) - 48
  return value
}

/** The integer value of a snowflake. */
export interface Halves {
  readonly high: number
  readonly low: number
}

/** The number of decimal digits of the first factor of `multiplyAndAdd`. A snowflake has at most nine more. */
export const FIRST_DIGITS = 10

/** Returns first * scale + rest, where scale is at most 10^9, and rest is less than it. */
export const multiplyAndAdd = (first: number, scale: number, rest: number): Halves => {
  // The first factor (34 bits) is in two parts, so that no product exceeds 2^53. A remainder of doubles would be slow.
  const firstHigh = Math.floor(first / TWO_TO_16)
  const upper = firstHigh * scale
  const lower = (first - firstHigh * TWO_TO_16) * scale + rest
  const upperHigh = Math.floor(upper / TWO_TO_16)
  const carried = (upper - upperHigh * TWO_TO_16) * TWO_TO_16 + lower
  const carriedHigh = Math.floor(carried / TWO_TO_32)
  return { high: upperHigh + carriedHigh, low: carried - carriedHigh * TWO_TO_32 }
}

/** Returns the integer value of a snowflake's decimal digits. */
export const halvesOf = (digits: string): Halves => {
  const split = Math.min(digits.length, FIRST_DIGITS)
  const rest = decimal(digits, split, digits.length)
  return multiplyAndAdd(decimal(digits, 0, split), 10 ** (digits.length - split), rest)
}

/** Returns the decimal digits of the snowflake with these halves. */
export const digitsOf = (high: number, low: number): string => ((BigInt(high) << 32n) | BigInt(low)).toString()

/** Returns the id with these halves. It was validated when it was added. */
export const userIdOf = (high: number, low: number): UserId => UserId.make(digitsOf(high, low), WITHOUT_VALIDATION)

/** Compares ids by their halves, as integers. */
export const compareHalves = (high: number, low: number, otherHigh: number, otherLow: number): number =>
  high - otherHigh || low - otherLow

/**
 * Returns when the snowflake was generated, in milliseconds since the epoch of snowflakes: its bits above the lowest
 * 22.
 */
export const millisOf = (high: number, low: number): number => high * 1024 + (low >>> 22)
