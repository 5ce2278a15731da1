import type { Aggregate } from "@community-messaging/domain/shared-kernel/Aggregate"
import type { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { Database } from "./Database.ts"
import type { Lock } from "./Units.ts"

/** A unit that locks aggregates also takes this lock shared. */
const EVERYTHING = "everything"

const ANYTHING: Lock = { key: EVERYTHING, shared: true }

/** The locks of the aggregates, each once, in one order for all units. */
const locksOf = (aggregates: ReadonlyArray<Aggregate>, shared: boolean): ReadonlyArray<Lock> => {
  const keys = aggregates.map(({ id, kind }) => `${kind}:${id}`)
  return Array.from(new Set(keys)).toSorted().map((key) => ({ key, shared }))
}

/** `UnitOfWork` in SQL. */
export const make = ({ atomically, lock, snapshot }: typeof Database.Service): typeof UnitOfWork.Service => ({
  atomically,
  lock: (...aggregates) => lock([ANYTHING, ...locksOf(aggregates, false)]),
  lockAll: lock([{ key: EVERYTHING, shared: false }]),
  share: (...aggregates) => lock(locksOf(aggregates, true)),
  snapshot
})
