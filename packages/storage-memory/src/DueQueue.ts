import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { DateTime, Option, Order } from "effect"
import * as Table from "./Table.ts"

/** A due time of a key, in Unix milliseconds. */
interface Due<K> {
  readonly at: number
  readonly key: K
}

/** A queue of keys by due time, with the leases of claimed keys. Immutable. */
export interface DueQueue<K> {
  /** The keys, by time and then by key. */
  readonly due: Table.Table<string, Due<K>>
  /** The end of each key's lease, in Unix milliseconds. */
  readonly leases: Table.Table<K, number>
}

/** The empty queue. */
export const empty = <K extends Snowflake.Snowflake>(): DueQueue<K> => ({
  due: Table.empty(Order.string),
  leases: Table.empty<K, number>(Snowflake.compare)
})

/** The earliest time of a `Date` is so many milliseconds before 1970. */
const EARLIEST = 8.64e15

/** The time is counted from the earliest one, because text orders only times that are not negative. */
const dueKey = ({ at, key }: Due<string>): string => Table.keyOf(at + EARLIEST, key)

/** Adds a due time to the key. Keeps its lease. */
export const add = <K extends string>(queue: DueQueue<K>, at: DateTime.Utc, key: K): DueQueue<K> => {
  const due = { at: DateTime.toEpochMillis(at), key }
  return { ...queue, due: Table.set(queue.due, dueKey(due), due) }
}

/** Removes a due time of the key. Keeps its lease. */
export const remove = <K extends string>(queue: DueQueue<K>, at: DateTime.Utc, key: K): DueQueue<K> => ({
  ...queue,
  due: Table.remove(queue.due, dueKey({ at: DateTime.toEpochMillis(at), key }))
})

/** Removes the lease of the key. */
export const release = <K>(queue: DueQueue<K>, key: K): DueQueue<K> => ({
  ...queue,
  leases: Table.remove(queue.leases, key)
})

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
  for (const [, { at, key }] of queue.due) {
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
  for (const [, { at, key }] of queue.due) {
    if (at >= next) break
    next = Math.min(next, Math.max(at, leasedUntil(queue, key)))
  }
  return Number.isFinite(next) ? Option.some(DateTime.unsafeMake(next)) : Option.none()
}
