import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { DateTime, Effect, Either, Layer, Option } from "effect"
import { requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** `EventLog` in memory. Writing transactions do not overlap, so sequence numbers are in commit order. */
export const layer: Layer.Layer<EventLog, never, MemoryState> = Layer.effect(
  EventLog,
  Effect.map(MemoryState, (state) => ({
    append: requireValid(
      "append an event",
      DomainEvent,
      (event) =>
        Effect.flatMap(DateTime.now, (occurredAt) =>
          state.update((tables) => {
            const sequence = tables.lastEventSequence + 1
            return Either.right({
              ...tables,
              lastEventSequence: sequence,
              events: Table.set(tables.events, sequence, { sequence, occurredAt, event })
            })
          })).pipe(Effect.zipLeft(state.notify))
    ),
    read: (after, limit) => state.read(({ events }) => Table.after(events, Option.some(after), limit)),
    end: state.read(({ lastEventSequence }) => lastEventSequence),
    subscribe: state.notifications,
    removeBefore: (moment, limit) =>
      state.modify((tables) => {
        // The clock may have been set back, so a later event may be older.
        const isOld = DateTime.lessThan(moment)
        const old = Table.after(tables.events, Option.none(), limit, ({ occurredAt }) => isOld(occurredAt))
        const events = old.reduce((kept, { sequence }) => Table.remove(kept, sequence), tables.events)
        return Either.right([old.length, { ...tables, events }])
      })
  }))
)
