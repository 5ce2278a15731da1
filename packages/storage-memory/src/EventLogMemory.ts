import { EventLog } from "@community-messaging/domain/EventLog"
import { DateTime, Effect, Either, Layer, Option } from "effect"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** The event log in memory. Writing transactions follow one another, so sequence numbers follow the commits. */
export const layer: Layer.Layer<EventLog, never, MemoryState> = Layer.effect(
  EventLog,
  Effect.map(MemoryState, (state) => ({
    append: (event) =>
      Effect.flatMap(DateTime.now, (occurredAt) =>
        state.update((tables) => {
          const sequence = Option.getOrElse(Table.lastKey(tables.events), () => 0) + 1
          return Either.right({ ...tables, events: Table.set(tables.events, sequence, { sequence, occurredAt, event }) })
        })),
    read: (after, limit) => state.read(({ events }) => Table.after(events, Option.some(after), limit))
  }))
)
