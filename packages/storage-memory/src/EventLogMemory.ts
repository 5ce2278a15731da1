import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import type { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { DateTime, Effect, Option } from "effect"
import { requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

const validDomainEvent = requireValid(DomainEvent)

/** `EventLog` in memory. Writing transactions do not overlap, so sequence numbers are in commit order. */
export const make = (state: typeof MemoryState.Service): typeof EventLog.Service => ({
  append: validDomainEvent(
    "append an event",
    (event) =>
      Effect.flatMap(DateTime.now, (occurredAt) =>
        state.write((tables) => {
          tables.lastEventSequence += 1
          const sequence = tables.lastEventSequence
          tables.events = Table.set(tables.events, sequence, { sequence, occurredAt, event })
        })).pipe(Effect.zipLeft(state.notify))
  ),
  read: (after, limit) => state.read(({ events }) => Table.after(events, Option.some(after), limit)),
  end: state.read(({ lastEventSequence }) => lastEventSequence),
  subscribe: state.notifications,
  removeBefore: (moment, limit) =>
    state.write((tables) => {
      // The clock may have been set back, so a later event may be older.
      const isOld = DateTime.lessThan(moment)
      const old = Table.after(tables.events, Option.none(), limit, ({ occurredAt }) => isOld(occurredAt))
      for (const { sequence } of old) tables.events = Table.remove(tables.events, sequence)
      return old.length
    })
})
