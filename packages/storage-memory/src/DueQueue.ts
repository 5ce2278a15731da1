import { DateTime, Option, type Order } from "effect"
import * as Table from "./Table.ts"
import * as Timeline from "./Timeline.ts"

/** What is due when, and until when a claimant has it for itself. Immutable. */
export interface DueQueue<K> {
  readonly due: Timeline.Timeline<K>
  /** Until when, in Unix milliseconds, the key belongs to its claimant. */
  readonly leases: Table.Table<K, number>
}

/** A queue in which nothing is due. */
export const empty = <K>(order: Order.Order<NoInfer<K>>): DueQueue<K> => ({
  due: Timeline.empty(order),
  leases: Table.empty(order)
})

/** The queue where the key is due at that moment too. A claim on it stays. */
export const add = <K>(queue: DueQueue<K>, at: DateTime.Utc, key: K): DueQueue<K> => ({
  ...queue,
  due: Timeline.add(queue.due, at, key)
})

/** The queue where the key is not due at that moment. A claim on it stays. */
export const remove = <K>(queue: DueQueue<K>, at: DateTime.Utc, key: K): DueQueue<K> => ({
  ...queue,
  due: Timeline.remove(queue.due, at, key)
})

/** The queue where nobody has a claim on the key. */
export const release = <K>(queue: DueQueue<K>, key: K): DueQueue<K> => ({
  ...queue,
  leases: Table.remove(queue.leases, key)
})

const leasedUntil = <K>(queue: DueQueue<K>, key: K): number =>
  Option.getOrElse(Table.get(queue.leases, key), () => Number.NEGATIVE_INFINITY)

/** Up to `limit` keys that are due and not another's at `now`, soonest first, leased until `leaseUntil`. */
export const claim = <K>(
  queue: DueQueue<K>,
  options: { readonly now: DateTime.Utc; readonly leaseUntil: DateTime.Utc; readonly limit: number }
): readonly [claimed: ReadonlyArray<K>, queue: DueQueue<K>] => {
  const now = DateTime.toEpochMillis(options.now)
  const claimed: Array<K> = []
  let leases = queue.leases
  for (const [at, key] of Timeline.entries(queue.due)) {
    if (claimed.length >= options.limit || at > now) break
    if (leasedUntil(queue, key) > now) continue
    claimed.push(key)
    leases = Table.set(leases, key, DateTime.toEpochMillis(options.leaseUntil))
  }
  return [claimed, { ...queue, leases }]
}

/** The earliest moment at which something can be claimed. */
export const nextAt = <K>(queue: DueQueue<K>): Option.Option<DateTime.Utc> => {
  let next = Number.POSITIVE_INFINITY
  for (const [at, key] of Timeline.entries(queue.due)) {
    if (at >= next) break
    next = Math.min(next, Math.max(at, leasedUntil(queue, key)))
  }
  return Number.isFinite(next) ? Option.some(DateTime.unsafeMake(next)) : Option.none()
}
