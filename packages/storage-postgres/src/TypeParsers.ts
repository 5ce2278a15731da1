import { TypeOverrides, types } from "pg"
import { unescape } from "./StoredText.ts"

/** Integers of 64 bits are numbers where those are exact. Ids are selected as text. */
const integer = (text: string): number | string => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const flag = (text: string): number => text === "t" ? 1 : 0

/** How values of rows are read. The driver's own settings, which other users of it share, stay as they are. */
export const make = (): TypeOverrides => {
  const parsers = new TypeOverrides()
  parsers.setTypeParser(types.builtins.INT8, integer)
  parsers.setTypeParser(types.builtins.BOOL, flag)
  parsers.setTypeParser(types.builtins.TEXT, unescape)
  return parsers
}
