import { Chunk, Effect, Option, Queue, Stream } from "effect"
import { EventLog, type SequencedEvent } from "../shared-kernel/EventLog.ts"
import { StorageError } from "../shared-kernel/StorageError.ts"
import { type DomainEvent, isDomainEvent } from "./DomainEvent.ts"

const PAGE = 100

const areTyped = (
  events: ReadonlyArray<SequencedEvent>
): events is ReadonlyArray<SequencedEvent<DomainEvent>> => events.every(({ event }) => isDomainEvent(event))

/**
 * Reads up to `limit` committed events after this sequence number, oldest first. Fails at an event of an unknown type,
 * because a reader must not miss it.
 */
export const read = (
  after: number,
  limit: number
): Effect.Effect<ReadonlyArray<SequencedEvent<DomainEvent>>, StorageError, EventLog> =>
  Effect.flatMap(EventLog, (log) =>
    Effect.filterOrFail(
      log.read(after, limit),
      areTyped,
      () => new StorageError({ operation: "read events: a type is unknown" })
    ))

/** Returns the sequence number from which `from` streams only events that are committed later. */
export const end: Effect.Effect<number, StorageError, EventLog> = Effect.flatMap(EventLog, (log) => log.end)

/**
 * Streams all events after this sequence number, past and future, in order, each at least once. The stream reads a page
 * when the consumer asks for one, so a slow consumer needs memory for one page only. At the end of the log it waits
 * for the next commit that appends events.
 */
export const from = (after: number): Stream.Stream<SequencedEvent<DomainEvent>, StorageError, EventLog> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    const log = yield* EventLog
    // Subscribe before the first read, so that no event that is appended in between is missed.
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
