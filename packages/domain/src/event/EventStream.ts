import { Chunk, Duration, Effect, Option, Queue, Stream } from "effect"
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

/** Events in order. An empty page means that no event happened for a while. */
export type Page = ReadonlyArray<SequencedEvent<DomainEvent>>

const next = (pages: Chunk.Chunk<Page>, position: number) => [pages, Option.some(position)] as const

/**
 * Streams all events after this sequence number, past and future, in order, each at least once, in pages of up to 100. An
 * empty page means that no event happened for as long as `silence`. The stream reads a page when the consumer pulls one, so
 * a slow consumer needs memory for one page only. At the end of the log it waits for the next commit that appends events.
 * Dies if `after` is no integer.
 */
export const pages = (
  after: number,
  silence: Duration.DurationInput
): Stream.Stream<Page, StorageError, EventLog> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    if (!Number.isSafeInteger(after)) return yield* Effect.dieMessage(`${after} is no sequence number`)
    const log = yield* EventLog
    // Subscribe before the first read, so that no event that is appended in between is missed.
    const appended = yield* log.subscribe
    const waited = Effect.raceFirst(
      Effect.as(Queue.take(appended), Chunk.empty<Page>()),
      // A signal that arrives at the end of the sleep may be lost, but the stream reads the log next.
      Effect.as(Effect.sleep(silence), Chunk.of<Page>([]))
    )
    return Stream.paginateChunkEffect(after, (position) =>
      Effect.flatMap(read(position, PAGE), (events) => {
        const last = events.at(-1)
        return last === undefined
          ? Effect.map(waited, (emitted) => next(emitted, position))
          : Effect.succeed(next(Chunk.of(events), last.sequence))
      }))
  }))

/** Streams the events of `pages` one by one. */
export const from = (after: number): Stream.Stream<SequencedEvent<DomainEvent>, StorageError, EventLog> =>
  Stream.mapConcat(pages(after, Duration.infinity), (page) => page)
