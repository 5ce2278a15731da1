import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Effect, Stream } from "effect"
import { readFile, rename, writeFile } from "node:fs/promises"

/** The sequence number of the last event that was handled; 0 if there was none. The file is made if there is none. */
const position = (file: string) => Effect.promise(() => readFile(file, { encoding: "utf8", flag: "a+" }).then(Number))

/** Renamed, so that a crash leaves the number before or the number after, and not a part of one. */
const keep = (file: string, sequence: number) =>
  Effect.promise(() => writeFile(`${file}.new`, String(sequence)).then(() => rename(`${file}.new`, file)))

/**
 * Handles every event once it is committed, in order, from where it stopped. After a crash between an event and its number,
 * the event is handled again: a handler must bear that.
 */
export const follow = <E, R>(file: string, handle: (event: DomainEvent) => Effect.Effect<void, E, R>) =>
  Effect.flatMap(position(file), (last) =>
    EventStream.from(last).pipe(
      Stream.runForEach(({ event, sequence }) =>
        // Whoever stops the follower waits until the event that it is at is handled.
        Effect.uninterruptible(Effect.zipRight(handle(event), keep(file, sequence)))
      )
    ))
