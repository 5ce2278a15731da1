import { Duration, Effect, Option, Queue, Stream } from "effect"
import { EventLog, type SequencedEvent } from "../shared-kernel/EventLog.ts"
import * as SideBySide from "../shared-kernel/SideBySide.ts"
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
 * Returns the sequence number after which a reader continues: the number of its last event, or the end of the log if that
 * is smaller. It is smaller after the storage was restored from a backup: later events get numbers that the reader has seen.
 */
export const continuation = (after: number): Effect.Effect<number, StorageError, EventLog> =>
  Effect.map(end, (last) => Math.min(after, last))

/** Events in order. An empty page means that no event happened for a while. */
export type Page = ReadonlyArray<SequencedEvent<DomainEvent>>

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
    // A signal may come without an event: another process wrote something else to the same file.
    const news = (position: number) =>
      Effect.repeat(Effect.zipRight(Queue.take(appended), read(position, PAGE)), { until: (page) => page.length > 0 })
    const nothing: Page = []
    // A signal that arrives at the end of the sleep may be lost, but the stream reads the log next.
    const waited = (position: number) => SideBySide.firstOf(news(position), Effect.as(Effect.sleep(silence), nothing))
    return Stream.paginateEffect(after, (position) =>
      Effect.map(
        Effect.filterOrElse(read(position, PAGE), (page) => page.length > 0, () => waited(position)),
        (page): readonly [Page, Option.Option<number>] => [page, Option.some(page.at(-1)?.sequence ?? position)]
      ))
  }))

/** Streams the events of `pages` one by one. A reader that is ahead of the log continues at its end (`continuation`). */
export const from = (after: number): Stream.Stream<SequencedEvent<DomainEvent>, StorageError, EventLog> =>
  continuation(after).pipe(
    Effect.map((position) => pages(position, Duration.infinity)),
    Stream.unwrap,
    Stream.mapConcat((page) => page)
  )
