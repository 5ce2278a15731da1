import { Chunk, Effect, Option, Queue, Stream } from "effect"
import { EventLog, type SequencedEvent } from "../shared-kernel/EventLog.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { type DomainEvent, isDomainEvent } from "./DomainEvent.ts"

const PAGE = 100

const isTyped = (event: SequencedEvent): event is SequencedEvent<DomainEvent> => isDomainEvent(event.event)

/** Up to `limit` committed events after that sequence number, oldest first. */
export const read = (
  after: number,
  limit: number
): Effect.Effect<ReadonlyArray<SequencedEvent<DomainEvent>>, StorageError, EventLog> =>
  Effect.flatMap(EventLog, (log) => Effect.map(log.read(after, limit), (events) => events.filter(isTyped)))

/**
 * All events after that sequence number, those yet to come included: each at least once, in order. It reads a page when
 * the consumer wants one, so a slow consumer costs no more than a page of memory; at the end of the log it sleeps until a
 * commit appends to it.
 */
export const from = (after: number): Stream.Stream<SequencedEvent<DomainEvent>, StorageError, EventLog> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    const log = yield* EventLog
    // Subscribed before the first read: what is appended in between is not slept through.
    const appended = yield* log.subscribe
    return Stream.paginateChunkEffect(after, (position) =>
      Effect.flatMap(read(position, PAGE), (events) => {
        const last = events[events.length - 1]
        return last === undefined
          ? Effect.as(
            Queue.take(appended),
            [
              Chunk.empty<SequencedEvent<DomainEvent>>(),
              Option.some(position)
            ] as const
          )
          : Effect.succeed([Chunk.unsafeFromArray(Array.from(events)), Option.some(last.sequence)] as const)
      }))
  }))
