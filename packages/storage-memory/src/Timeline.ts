import { DateTime, Order } from "effect"
import * as GroupedTable from "./GroupedTable.ts"
import * as Table from "./Table.ts"

/** Keys by a moment in Unix milliseconds, soonest first, those of one moment in their own order. Immutable. */
export type Timeline<K> = GroupedTable.GroupedTable<number, K, K>

/** A timeline without keys. */
export const empty = <K>(order: Order.Order<NoInfer<K>>): Timeline<K> => GroupedTable.empty(Order.number, order)

/** The timeline with the key at that moment. */
export const add = <K>(timeline: Timeline<K>, at: DateTime.Utc, key: K): Timeline<K> =>
  GroupedTable.set(timeline, DateTime.toEpochMillis(at), key, key)

/** The timeline without the key at that moment. */
export const remove = <K>(timeline: Timeline<K>, at: DateTime.Utc, key: K): Timeline<K> =>
  GroupedTable.remove(timeline, DateTime.toEpochMillis(at), key)

/** All keys with their moments, soonest first. */
export const entries = function*<K>(timeline: Timeline<K>): Generator<readonly [at: number, key: K]> {
  for (const [at, keys] of timeline.groups) {
    for (const key of Table.rows(keys)) yield [at, key]
  }
}

/** Up to `limit` keys, soonest first, whose moment is that one or before it. */
export const until = <K>(timeline: Timeline<K>, moment: DateTime.Utc, limit: number): ReadonlyArray<K> => {
  const found: Array<K> = []
  for (const [at, key] of entries(timeline)) {
    if (found.length >= limit || at > DateTime.toEpochMillis(moment)) break
    found.push(key)
  }
  return found
}

/** Up to `limit` keys, soonest first, whose moment is before that one. */
export const before = <K>(timeline: Timeline<K>, moment: DateTime.Utc, limit: number): ReadonlyArray<K> =>
  until(timeline, DateTime.subtract(moment, { millis: 1 }), limit)
