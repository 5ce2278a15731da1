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
        const old: Array<number> = []
        for (const { occurredAt, sequence } of Table.after(tables.events, Option.none(), limit)) {
          if (DateTime.greaterThanOrEqualTo(occurredAt, moment)) break
          old.push(sequence)
        }
        return Either.right([old.length, { ...tables, events: old.reduce(Table.remove, tables.events) }])
      })
  }))
)
