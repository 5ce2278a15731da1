import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Effect, Stream } from "effect"
import { readFile, rename, writeFile } from "node:fs/promises"

/** The sequence number of the last handled event, or 0. Creates the file if it does not exist. Dies of another content. */
const position = (file: string) =>
  Effect.map(Effect.promise(() => readFile(file, { encoding: "utf8", flag: "a+" })), (text) => {
    if (!/^\d*$/.test(text.trim())) throw new Error(`${file} has no sequence number`)
    return Number(text)
  })

/** Renames a new file, so that after a crash, the file has the old or the new number, and not a part of one. */
const keep = (file: string, sequence: number) =>
  Effect.promise(() => writeFile(`${file}.new`, String(sequence)).then(() => rename(`${file}.new`, file)))

/**
 * Handles every event once it is committed, in order, from where it stopped. After a crash between an event and its number,
 * the event is handled again, so a handler must be idempotent.
 */
export const follow = <E, R>(file: string, handle: (event: DomainEvent) => Effect.Effect<void, E, R>) =>
  Effect.flatMap(position(file), (last) =>
    EventStream.from(last).pipe(
      Stream.runForEach(({ event, sequence }) =>
        // A stop waits until the current event is handled.
        Effect.uninterruptible(Effect.zipRight(handle(event), keep(file, sequence)))
      )
    ))
