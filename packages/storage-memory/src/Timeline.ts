import { DateTime, Order } from "effect"
import * as GroupedTable from "./GroupedTable.ts"
import * as Table from "./Table.ts"

/** Keys ordered by time in Unix milliseconds, soonest first, then by key. Immutable. */
export type Timeline<K> = GroupedTable.GroupedTable<number, K, K>

/** The empty timeline. */
export const empty = <K>(order: Order.Order<NoInfer<K>>): Timeline<K> => GroupedTable.empty(Order.number, order)

/** Adds the key at this time. */
export const add = <K>(timeline: Timeline<K>, at: DateTime.Utc, key: K): Timeline<K> =>
  GroupedTable.set(timeline, DateTime.toEpochMillis(at), key, key)

/** Removes the key at this time. */
export const remove = <K>(timeline: Timeline<K>, at: DateTime.Utc, key: K): Timeline<K> =>
  GroupedTable.remove(timeline, DateTime.toEpochMillis(at), key)

/** Returns all keys with their times, soonest first. */
export const entries = function*<K>(timeline: Timeline<K>): Generator<readonly [at: number, key: K]> {
  for (const [at, keys] of timeline.groups) {
    for (const key of Table.rows(keys)) yield [at, key]
  }
}

/** Returns up to `limit` keys at or before this time, soonest first. */
export const until = <K>(timeline: Timeline<K>, moment: DateTime.Utc, limit: number): ReadonlyArray<K> => {
  const found: Array<K> = []
  for (const [at, key] of entries(timeline)) {
    if (found.length >= limit || at > DateTime.toEpochMillis(moment)) break
    found.push(key)
  }
  return found
}

/** Returns up to `limit` keys before this time, soonest first. */
export const before = <K>(timeline: Timeline<K>, moment: DateTime.Utc, limit: number): ReadonlyArray<K> =>
  until(timeline, DateTime.subtract(moment, { millis: 1 }), limit)
