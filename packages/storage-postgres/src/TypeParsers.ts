import { TypeOverrides, types } from "pg"
import { unescape } from "./StoredText.ts"

/** A 64-bit integer is a number if that is exact. Ids are selected as text. */
const integer = (text: string): number | string => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const flag = (text: string): number => text === "t" ? 1 : 0

/** The parsers of values in rows. The driver's own settings, which other users of it share, do not change. */
export const make = (): TypeOverrides => {
  const parsers = new TypeOverrides()
  parsers.setTypeParser(types.builtins.INT8, integer)
  parsers.setTypeParser(types.builtins.BOOL, flag)
  parsers.setTypeParser(types.builtins.TEXT, unescape)
  return parsers
}
