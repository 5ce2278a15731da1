import { Option, type Order } from "effect"
import * as Table from "./Table.ts"

/** A table of rows in groups, ordered by group and then by key. Immutable. */
export interface GroupedTable<G, K, V> {
  readonly groups: Table.Table<G, Table.Table<K, V>>
  readonly none: Table.Table<K, V>
}

/** The empty table. */
export const empty = <G, K, V>(
  groupOrder: Order.Order<NoInfer<G>>,
  keyOrder: Order.Order<NoInfer<K>>
): GroupedTable<G, K, V> => ({
  groups: Table.empty(groupOrder),
  none: Table.empty(keyOrder)
})

/** Returns the rows of the group. */
export const group = <G, K, V>(table: GroupedTable<G, K, V>, of: G): Table.Table<K, V> =>
  Option.getOrElse(Table.get(table.groups, of), () => table.none)

/** Returns the row with this key in the group. */
export const get = <G, K, V>(table: GroupedTable<G, K, V>, of: G, key: K): Option.Option<V> =>
  Table.get(group(table, of), key)

/** Inserts or replaces the row with this key in the group. */
export const set = <G, K, V>(table: GroupedTable<G, K, V>, of: G, key: K, row: V): GroupedTable<G, K, V> => ({
  ...table,
  groups: Table.set(table.groups, of, Table.set(group(table, of), key, row))
})

/** Removes the row with this key from the group. */
export const remove = <G, K, V>(table: GroupedTable<G, K, V>, of: G, key: K): GroupedTable<G, K, V> => {
  const left = Table.remove(group(table, of), key)
  return {
    ...table,
    groups: Option.isNone(Table.lastKey(left)) ? Table.remove(table.groups, of) : Table.set(table.groups, of, left)
  }
}

/** Removes all rows of the group. */
export const removeGroup = <G, K, V>(table: GroupedTable<G, K, V>, of: G): GroupedTable<G, K, V> => ({
  ...table,
  groups: Table.remove(table.groups, of)
})

/** Returns up to `limit` rows in order, starting after this key of this group. */
export const after = <G, K, V>(
  table: GroupedTable<G, K, V>,
  key: Option.Option<readonly [of: G, key: K]>,
  limit: number
): ReadonlyArray<V> => {
  const taken: Array<V> = []
  if (Option.isSome(key)) taken.push(...Table.after(group(table, key.value[0]), Option.some(key.value[1]), limit))
  const groups = Table.after(table.groups, Option.map(key, ([of]) => of), limit)
  for (const rows of groups) {
    if (taken.length >= limit) break
    taken.push(...Table.after(rows, Option.none(), limit - taken.length))
  }
  return taken
}
