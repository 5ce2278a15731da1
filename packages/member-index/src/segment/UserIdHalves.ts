import { UserId } from "@community-messaging/domain/account/User"
import { WITHOUT_VALIDATION } from "@community-messaging/domain/shared-kernel/WithoutValidation"

/*
 * User ids as two 32-bit halves, for columns of numbers. The halves are computed in doubles, which are exact up to
 * 2^53. A BigInt for each of a million ids would cost more than all other work of adding a member.
 */

const TWO_TO_16 = 0x1_0000
const TWO_TO_32 = 0x1_0000_0000
const BILLION = 1_000_000_000

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

/** The number of decimal digits of the rest that `halvesOfBillions` adds. */
export const REST_DIGITS = 9

/** Returns billions * 10^9 + rest. */
export const halvesOfBillions = (billions: number, rest: number): Halves => {
  // The billions (34 bits) are in two parts, so that no product exceeds 2^53.
  const upper = Math.floor(billions / TWO_TO_16) * BILLION
  const lower = (billions % TWO_TO_16) * BILLION + rest
  const carried = (upper % TWO_TO_16) * TWO_TO_16 + lower
  return { high: Math.floor(upper / TWO_TO_16) + Math.floor(carried / TWO_TO_32), low: carried % TWO_TO_32 }
}

/** Returns the integer value of a snowflake's decimal digits. */
export const halvesOf = (digits: string): Halves => {
  const split = Math.max(0, digits.length - REST_DIGITS)
  return halvesOfBillions(decimal(digits, 0, split), decimal(digits, split, digits.length))
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
