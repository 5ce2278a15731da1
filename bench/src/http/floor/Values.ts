/*
 * Validation of values by hand: no library, no allocation.
 */

/** Whether a value is valid. */
export type Check = (value: unknown) => boolean

/** An object of JSON. */
export type Fields = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isString = (value: unknown): value is string => typeof value === "string"

export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"

export const isIntegerWithin = (minimum: number, maximum: number): Check => (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum

export const isInt32 = isIntegerWithin(-2_147_483_648, 2_147_483_647)

/** With the precision of a double. */
export const isInt64 = isIntegerWithin(-(2 ** 63), 2 ** 63)

const DECIMAL = /^(?:0|[1-9][0-9]*)$/
const MAX_SNOWFLAKE = "9223372036854775807"

export const isSnowflake = (value: unknown): value is string =>
  typeof value === "string" && DECIMAL.test(value) &&
  (value.length < MAX_SNOWFLAKE.length || (value.length === MAX_SNOWFLAKE.length && value <= MAX_SNOWFLAKE))

/** The number of Unicode code points. */
export const codePoints = (text: string): number => {
  let length = text.length
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        length -= 1
        index += 1
      }
    }
  }
  return length
}

/** A string of at most that many code points. */
export const isTextOfAtMost = (maximum: number): Check => (value) =>
  typeof value === "string" &&
  (value.length <= maximum || (value.length <= maximum * 2 && codePoints(value) <= maximum))

export const isListOf = (item: Check, maximum: number = Number.POSITIVE_INFINITY): Check => (value) =>
  Array.isArray(value) && value.length <= maximum && value.every(item)

/** Absent or valid. */
export const optional = (check: Check): Check => (value) => value === undefined || check(value)

/** Absent, null or valid: third parties send fields without a value in both ways. */
export const nullable = (check: Check): Check => (value) => value === undefined || value === null || check(value)

/** An object whose fields are valid; other fields are ignored. */
export const isRecordOf = (fields: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(fields)
  return (value) => {
    if (!isObject(value)) return false
    for (const [name, check] of checks) if (!check(value[name])) return false
    return true
  }
}
