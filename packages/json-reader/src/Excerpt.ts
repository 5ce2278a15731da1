import { Schema } from "effect"

/** The part of long strings and arrays that is kept. */
export interface Excerpt {
  /** The length of a string after which it is cut, in UTF-16 code units. */
  readonly text: number
  /** The number of items that are kept of an array whose schema has no maximum. */
  readonly items: number
}

/** Strings and arrays are kept whole. A schema must have a maximum for each array then. */
export const WHOLE: Excerpt = { text: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY }

// The total of an array belongs to the array itself, so that schemas of arrays apply to it as to any other.
const totals = new WeakMap<ReadonlyArray<unknown>, number>()

/** Notes that the array has the first items of an array with this total number of items. */
export const setTotal = (items: ReadonlyArray<unknown>, total: number): void => {
  totals.set(items, total)
}

/** Returns the number of items that the array has in the JSON. */
export const totalOf = (items: ReadonlyArray<unknown>): number => totals.get(items) ?? items.length

/** An array: its first items are read, and the others only counted. */
export const counted = <A, I, R>(items: Schema.Schema<A, I, R>) =>
  Schema.transform(
    Schema.Array(items),
    Schema.Struct({ first: Schema.Array(Schema.typeSchema(items)), total: Schema.NonNegativeInt }),
    {
      strict: true,
      decode: (first, array) => ({ first, total: totalOf(array) }),
      encode: ({ first }) => first
    }
  )
