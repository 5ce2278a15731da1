import { Chunk, Effect, Option, Queue, Stream } from "effect"
import { EventLog, type SequencedEvent } from "./EventLog.ts"
import type { StorageError } from "./StorageError.ts"

const PAGE = 100

/**
 * All events after that sequence number, those yet to come included: each at least once, in order. It reads a page when
 * the consumer wants one, so a slow consumer costs no more than a page of memory; at the end of the log it sleeps until a
 * commit appends to it.
 */
export const from = (after: number): Stream.Stream<SequencedEvent, StorageError, EventLog> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    const log = yield* EventLog
    // Subscribed before the first read: what is appended in between is not slept through.
    const appended = yield* log.subscribe
    return Stream.paginateChunkEffect(after, (position) =>
      Effect.flatMap(log.read(position, PAGE), (events) => {
        const last = events[events.length - 1]
        return last === undefined
          ? Effect.as(Queue.take(appended), [Chunk.empty<SequencedEvent>(), Option.some(position)] as const)
          : Effect.succeed([Chunk.unsafeFromArray(Array.from(events)), Option.some(last.sequence)] as const)
      }))
  }))
