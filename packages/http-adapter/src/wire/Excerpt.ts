/*
 * An array in a body may be read in part: its first items and the number of all. The number belongs to the array itself,
 * so that schemas of arrays apply to it as to any other.
 */

const totals = new WeakMap<ReadonlyArray<unknown>, number>()

/** Notes that the array has the first items of an array with this total number of items. */
export const setTotal = (items: ReadonlyArray<unknown>, total: number): void => {
  totals.set(items, total)
}

/** Returns the number of items that the array had in the body. */
export const totalOf = (items: ReadonlyArray<unknown>): number => totals.get(items) ?? items.length
