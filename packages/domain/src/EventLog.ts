import { Context, type DateTime, type Effect } from "effect"
import type { DomainEvent } from "./DomainEvent.ts"
import type { StorageError } from "./StorageError.ts"

/** An event with its place in the log and the moment at which it was appended. */
export interface SequencedEvent {
  /** Grows with every event, in the order of the commits. */
  readonly sequence: number
  readonly occurredAt: DateTime.Utc
  readonly event: DomainEvent
}

/** Port: everything that changed state, in order, durably. */
export class EventLog extends Context.Tag("@community-messaging/domain/EventLog")<EventLog, {
  /** Adds the event in the current transaction. */
  readonly append: (event: DomainEvent) => Effect.Effect<void, StorageError>
  /** Up to `limit` committed events after that sequence number, oldest first. */
  readonly read: (after: number, limit: number) => Effect.Effect<ReadonlyArray<SequencedEvent>, StorageError>
}>() {}
