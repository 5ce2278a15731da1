import { MAX_SNOWFLAKE } from "@community-messaging/domain/shared-kernel/Snowflake"
import { Array as Arrays, DateTime, Iterable, Option, type Order, RedBlackTree } from "effect"

const MAX_DIGITS = MAX_SNOWFLAKE.toString().length

/**
 * Rows ordered by key. Immutable: a change returns a new table that shares almost all of its structure with the old
 * one, so an old table needs little memory.
 */
export type Table<K, V> = RedBlackTree.RedBlackTree<K, V>

/** The empty table. Keys are compared with `Equal`: strings and numbers by value. */
export const empty = <K, V>(order: Order.Order<NoInfer<K>>): Table<K, V> => RedBlackTree.empty<K, V>(order)

/** Returns the row with this key. */
export const get = <K, V>(table: Table<K, V>, key: K): Option.Option<V> => RedBlackTree.findFirst(table, key)

/** Returns whether there is a row with this key. */
export const has = <K, V>(table: Table<K, V>, key: K): boolean => RedBlackTree.has(table, key)

/** Inserts or replaces the row with this key. */
export const set = <K, V>(table: Table<K, V>, key: K, row: V): Table<K, V> =>
  RedBlackTree.insert(remove(table, key), key, row)

/** Removes the row with this key. */
export const remove = <K, V>(table: Table<K, V>, key: K): Table<K, V> => RedBlackTree.removeFirst(table, key)

/** Returns all rows in order. */
export const rows = <K, V>(table: Table<K, V>): ReadonlyArray<V> => Array.from(RedBlackTree.values(table))

/** Returns the greatest key for which the condition is true. Reads the table from its end. */
export const lastKey = <K, V>(table: Table<K, V>, condition: (key: K) => boolean = () => true): Option.Option<K> =>
  Iterable.findFirst(Iterable.map(RedBlackTree.reversed(table), ([key]) => key), condition)

/** Returns the key of a row with several ids. Such keys are in the order of the first ids, then of the second ones. */
export const keyOf = (...ids: ReadonlyArray<string | number>): string =>
  ids.map((id) => String(id).padStart(MAX_DIGITS, "0")).join("")

/** Returns the rows whose keys begin with this text, in order. */
export const withPrefix = <V>(table: Table<string, V>, prefix: string): ReadonlyArray<V> =>
  Array.from(entriesWithPrefix(table, prefix), ([, row]) => row)

/** Removes the rows whose keys begin with this text. */
export const removePrefix = <V>(table: Table<string, V>, prefix: string): Table<string, V> =>
  Array.from(entriesWithPrefix(table, prefix), ([key]) => key).reduce(remove, table)

const entriesWithPrefix = function*<V>(table: Table<string, V>, prefix: string): Generator<readonly [string, V]> {
  for (const entry of RedBlackTree.greaterThanEqual(table, prefix)) {
    if (!entry[0].startsWith(prefix)) break
    yield entry
  }
}

/** Returns up to `limit` rows for which the condition is true, in order, starting after this key. */
export const after = <K, V>(
  table: Table<K, V>,
  key: Option.Option<K>,
  limit: number,
  condition: (row: V) => boolean = () => true
): ReadonlyArray<V> =>
  take(
    Option.match(key, { onNone: () => table, onSome: (bound) => RedBlackTree.greaterThan(table, bound) }),
    limit,
    condition
  )

/** Returns up to `limit` rows for which the condition is true, in reverse order, starting before this key. */
export const before = <K, V>(
  table: Table<K, V>,
  key: Option.Option<K>,
  limit: number,
  condition: (row: V) => boolean = () => true
): ReadonlyArray<V> =>
  take(
    Option.match(key, {
      onNone: () => RedBlackTree.reversed(table),
      onSome: (bound) => RedBlackTree.lessThanReversed(table, bound)
    }),
    limit,
    condition
  )

/** Returns up to `limit` rows whose time meets the condition, with their keys, the oldest first. */
export const oldest = <K, V>(
  table: Table<K, V>,
  timeOf: (row: V) => Option.Option<DateTime.Utc>,
  condition: (at: DateTime.Utc) => boolean,
  limit: number
): ReadonlyArray<readonly [key: K, row: V]> =>
  Array.from(table)
    .flatMap(([key, row]) => Option.toArray(Option.map(timeOf(row), (at) => ({ at, key, row }))))
    .filter(({ at }) => condition(at))
    .sort((self, that) => DateTime.Order(self.at, that.at))
    .slice(0, limit)
    .map(({ key, row }) => [key, row])

/** Returns the earliest time of a row. */
export const earliest = <K, V>(
  table: Table<K, V>,
  timeOf: (row: V) => Option.Option<DateTime.Utc>
): Option.Option<DateTime.Utc> =>
  Arrays.match(Arrays.filterMap(rows(table), timeOf), {
    onEmpty: Option.none,
    onNonEmpty: (times) => Option.some(Arrays.min(times, DateTime.Order))
  })

const take = <K, V>(
  entries: Iterable<readonly [K, V]>,
  limit: number,
  condition: (row: V) => boolean
): ReadonlyArray<V> =>
  Array.from(Iterable.take(Iterable.filter(Iterable.map(entries, ([, row]) => row), condition), limit))
