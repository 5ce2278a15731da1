import { Option, type Order } from "effect"
import * as Table from "./Table.ts"

/** Rows by the group that they belong to, in the order of the groups and of the keys within each. Immutable. */
export interface GroupedTable<G, K, V> {
  readonly groups: Table.Table<G, Table.Table<K, V>>
  readonly none: Table.Table<K, V>
}

/** A grouped table without rows. */
export const empty = <G, K, V>(
  groupOrder: Order.Order<NoInfer<G>>,
  keyOrder: Order.Order<NoInfer<K>>
): GroupedTable<G, K, V> => ({
  groups: Table.empty(groupOrder),
  none: Table.empty(keyOrder)
})

/** The rows of the group. */
export const group = <G, K, V>(table: GroupedTable<G, K, V>, of: G): Table.Table<K, V> =>
  Option.getOrElse(Table.get(table.groups, of), () => table.none)

/** The row under that key in the group. */
export const get = <G, K, V>(table: GroupedTable<G, K, V>, of: G, key: K): Option.Option<V> =>
  Table.get(group(table, of), key)

/** The table with that row under the key in the group, in the place of any that was there. */
export const set = <G, K, V>(table: GroupedTable<G, K, V>, of: G, key: K, row: V): GroupedTable<G, K, V> => ({
  ...table,
  groups: Table.set(table.groups, of, Table.set(group(table, of), key, row))
})

/** The table without the row under that key in the group. */
export const remove = <G, K, V>(table: GroupedTable<G, K, V>, of: G, key: K): GroupedTable<G, K, V> => {
  const left = Table.remove(group(table, of), key)
  return {
    ...table,
    groups: Option.isNone(Table.lastKey(left)) ? Table.remove(table.groups, of) : Table.set(table.groups, of, left)
  }
}

/** The table without the rows of the group. */
export const removeGroup = <G, K, V>(table: GroupedTable<G, K, V>, of: G): GroupedTable<G, K, V> => ({
  ...table,
  groups: Table.remove(table.groups, of)
})

/** Up to `limit` rows in order, beginning after that key of that group. */
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
