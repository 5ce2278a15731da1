import { Option, type Order, RedBlackTree } from "effect"

/**
 * Rows in the order of their keys. Immutable: a change gives another table that shares nearly all of the old one, so
 * that keeping an old table costs nothing.
 */
export type Table<K, V> = RedBlackTree.RedBlackTree<K, V>

/** A table without rows. Keys are equal when `Equal` says so: strings and numbers by value. */
export const empty = <K, V>(order: Order.Order<NoInfer<K>>): Table<K, V> => RedBlackTree.empty<K, V>(order)

/** The row under that key. */
export const get = <K, V>(table: Table<K, V>, key: K): Option.Option<V> => RedBlackTree.findFirst(table, key)

/** Whether there is a row under that key. */
export const has = <K, V>(table: Table<K, V>, key: K): boolean => RedBlackTree.has(table, key)

/** The table with that row under the key, in the place of any that was there. */
export const set = <K, V>(table: Table<K, V>, key: K, row: V): Table<K, V> =>
  RedBlackTree.insert(remove(table, key), key, row)

/** The table without the row under that key. */
export const remove = <K, V>(table: Table<K, V>, key: K): Table<K, V> => RedBlackTree.removeFirst(table, key)

/** All rows in order. */
export const rows = <K, V>(table: Table<K, V>): ReadonlyArray<V> => Array.from(RedBlackTree.values(table))

/** The greatest key. */
export const lastKey = <K, V>(table: Table<K, V>): Option.Option<K> =>
  Option.map(RedBlackTree.last(table), ([key]) => key)

/** Keys and rows in order, beginning with that key. */
export const from = <K, V>(table: Table<K, V>, key: K): Iterable<readonly [K, V]> =>
  RedBlackTree.greaterThanEqual(table, key)

/** Up to `limit` rows in order, beginning after that key. */
export const after = <K, V>(table: Table<K, V>, key: Option.Option<K>, limit: number): ReadonlyArray<V> =>
  take(Option.match(key, { onNone: () => table, onSome: (bound) => RedBlackTree.greaterThan(table, bound) }), limit)

/** Up to `limit` rows in reverse order, beginning before that key. */
export const before = <K, V>(table: Table<K, V>, key: Option.Option<K>, limit: number): ReadonlyArray<V> =>
  take(
    Option.match(key, {
      onNone: () => RedBlackTree.reversed(table),
      onSome: (bound) => RedBlackTree.lessThanReversed(table, bound)
    }),
    limit
  )

const take = <K, V>(entries: Iterable<readonly [K, V]>, limit: number): ReadonlyArray<V> => {
  const taken: Array<V> = []
  for (const [, row] of entries) {
    if (taken.length >= limit) break
    taken.push(row)
  }
  return taken
}
