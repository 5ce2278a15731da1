/*
 * JavaScript reads JSON numbers as doubles. 9223372036854775807, the largest 64-bit integer, and 9223372036854775808,
 * which is out of range, become the same double. They are distinguished by their digits.
 */

/** The double that the largest and, with a minus sign, the smallest 64-bit integer are read as. */
const BOUND = 2 ** 63

const MAX_DIGITS = "9223372036854775807"
const MIN_DIGITS = "9223372036854775808"

/** Returns whether a number that is read as ±2^63 is out of the 64-bit range, by its digits before the exponent. */
const isBeyond = (mantissa: string): boolean => {
  const written = mantissa.replace(/[-.]/g, "")
  const digits = written.slice(written.search(/[1-9]/))
  // All numbers of this magnitude have nineteen digits before the decimal point, so the point can be ignored.
  const whole = digits.slice(0, 19)
  const last = mantissa.startsWith("-") ? MIN_DIGITS : MAX_DIGITS
  return whole > last || (whole === last && /[1-9]/.test(digits.slice(19)))
}

/** Returns the value of a JSON number; infinite if the number is out of the 64-bit range but its double is not. */
export const valueOf = (numeral: string): number => {
  const value = Number(numeral)
  if (Math.abs(value) !== BOUND) return value
  const [mantissa = ""] = numeral.split(/e/i, 1)
  return isBeyond(mantissa) ? value * Number.POSITIVE_INFINITY : value
}
