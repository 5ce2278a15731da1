import { DateTime, Option, Order } from "effect"
import * as GroupedTable from "./GroupedTable.ts"
import * as Table from "./Table.ts"

/** A queue of keys by due time, with the leases of claimed keys. Immutable. */
export interface DueQueue<K> {
  /** The keys, by time in Unix milliseconds and then by key. */
  readonly due: GroupedTable.GroupedTable<number, K, K>
  /** The end of each key's lease, in Unix milliseconds. */
  readonly leases: Table.Table<K, number>
}

/** The empty queue. */
export const empty = <K>(order: Order.Order<NoInfer<K>>): DueQueue<K> => ({
  due: GroupedTable.empty(Order.number, order),
  leases: Table.empty(order)
})

/** Adds a due time to the key. Keeps its lease. */
export const add = <K>(queue: DueQueue<K>, at: DateTime.Utc, key: K): DueQueue<K> => ({
  ...queue,
  due: GroupedTable.set(queue.due, DateTime.toEpochMillis(at), key, key)
})

/** Removes a due time of the key. Keeps its lease. */
export const remove = <K>(queue: DueQueue<K>, at: DateTime.Utc, key: K): DueQueue<K> => ({
  ...queue,
  due: GroupedTable.remove(queue.due, DateTime.toEpochMillis(at), key)
})

/** Removes the lease of the key. */
export const release = <K>(queue: DueQueue<K>, key: K): DueQueue<K> => ({
  ...queue,
  leases: Table.remove(queue.leases, key)
})

/** All keys with their due times, soonest first. */
const entries = function*<K>({ due }: DueQueue<K>): Generator<readonly [at: number, key: K]> {
  for (const [at, keys] of due.groups) {
    for (const key of Table.rows(keys)) yield [at, key]
  }
}

const leasedUntil = <K>(queue: DueQueue<K>, key: K): number =>
  Option.getOrElse(Table.get(queue.leases, key), () => Number.NEGATIVE_INFINITY)

/** Claims up to `limit` keys that are due at `now` and not leased, soonest first. Their lease ends at `leaseUntil`. */
export const claim = <K>(
  queue: DueQueue<K>,
  options: { readonly now: DateTime.Utc; readonly leaseUntil: DateTime.Utc; readonly limit: number }
): readonly [claimed: ReadonlyArray<K>, queue: DueQueue<K>] => {
  const now = DateTime.toEpochMillis(options.now)
  const claimed: Array<K> = []
  let leases = queue.leases
  for (const [at, key] of entries(queue)) {
    if (claimed.length >= options.limit || at > now) break
    if (leasedUntil(queue, key) > now) continue
    claimed.push(key)
    leases = Table.set(leases, key, DateTime.toEpochMillis(options.leaseUntil))
  }
  return [claimed, { ...queue, leases }]
}

/** Returns how many keys can be claimed at `now`, at most `limit`. */
export const count = <K>(queue: DueQueue<K>, now: DateTime.Utc, limit: number): number =>
  claim(queue, { now, leaseUntil: now, limit })[0].length

/** Returns the earliest time at which a key can be claimed. */
export const nextAt = <K>(queue: DueQueue<K>): Option.Option<DateTime.Utc> => {
  let next = Number.POSITIVE_INFINITY
  for (const [at, key] of entries(queue)) {
    if (at >= next) break
    next = Math.min(next, Math.max(at, leasedUntil(queue, key)))
  }
  return Number.isFinite(next) ? Option.some(DateTime.unsafeMake(next)) : Option.none()
}
