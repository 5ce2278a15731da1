import { Context, type DateTime, type Effect, type Queue, type Scope } from "effect"
import type { Event } from "./Event.ts"
import type { StorageError } from "./StorageError.ts"

/** An event with its place in the log and the moment at which it was appended. */
export interface SequencedEvent<A extends Event = Event> {
  /** Grows with every event, in the order of the commits. */
  readonly sequence: number
  readonly occurredAt: DateTime.Utc
  readonly event: A
}

/** Port: everything that changed state, in order, durably. It takes the events of `DomainEvent`, and no others. */
export class EventLog extends Context.Tag("@community-messaging/domain/shared-kernel/EventLog")<EventLog, {
  /** Adds the event in the current transaction. */
  readonly append: (event: Event) => Effect.Effect<void, StorageError>
  /** Up to `limit` committed events after that sequence number, oldest first. `EventStream` reads them with their types. */
  readonly read: (after: number, limit: number) => Effect.Effect<ReadonlyArray<SequencedEvent>, StorageError>
  /**
   * Tells of commits that appended events: at once of those of this process, within a second of those of another one
   * that shares the storage. What is told before it is taken gathers to one.
   */
  readonly subscribe: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** Removes events that occurred before that moment, oldest first, at most `limit`; returns the count. */
  readonly removeBefore: (moment: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
}>() {}
