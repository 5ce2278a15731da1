import { Context, type DateTime, type Effect, type Queue, type Scope } from "effect"
import type { Event } from "./Event.ts"
import type { StorageError } from "./StorageError.ts"

/** An event with its sequence number and the time at which it was appended. */
export interface SequencedEvent<A extends Event = Event> {
  /** Increases with every event, in commit order. */
  readonly sequence: number
  readonly occurredAt: DateTime.Utc
  readonly event: A
}

/** Port: a durable, ordered log of events. It accepts the events of `DomainEvent` only. */
export class EventLog extends Context.Tag("@community-messaging/domain/EventLog")<EventLog, {
  /** Appends the event in the current transaction. */
  readonly append: (event: Event) => Effect.Effect<void, StorageError>
  /**
   * Returns up to `limit` committed events after this sequence number, oldest first. `EventStream` adds their types. The
   * events of the running unit of work may be missing until it is committed.
   */
  readonly read: (after: number, limit: number) => Effect.Effect<ReadonlyArray<SequencedEvent>, StorageError>
  /**
   * Returns a sequence number that no committed event exceeds: all later events have larger numbers. It is 0 before
   * the first event, and does not become smaller when all events are removed.
   */
  readonly end: Effect.Effect<number, StorageError>
  /**
   * Signals commits that append events: immediately if this process made the commit, within a second if another process
   * on the same storage did. Signals that are not taken yet merge into one. A subscriber that waits is interrupted when the
   * storage closes.
   */
  readonly subscribe: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** Removes up to `limit` events that occurred before this moment, oldest first. Returns the count. */
  readonly removeBefore: (moment: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
}>() {}
