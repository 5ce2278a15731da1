import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Stream } from "effect"
import * as NewFile from "../storage/NewFile.ts"
import { KINDS } from "./Kinds.ts"
import type { TransferPorts } from "./RecordKind.ts"
import * as StandardStreams from "./StandardStreams.ts"

/** Called after each batch of lines, with the kind of the last line and the number of all lines. */
export type Report = (kind: string, lines: number) => Effect.Effect<void>

/** All records as lines, in an order in which they can be imported. */
const lines: Stream.Stream<{ readonly kind: string; readonly line: string }, StorageError, TransferPorts> = Stream
  .fromIterable(KINDS).pipe(
    Stream.flatMap(({ kind, lines: ofKind }) => Stream.map(ofKind, (line) => ({ kind, line })))
  )

/** Writes all records of one snapshot, even if a server writes in the meantime. Returns their numbers by kind. */
const toWriter = <E, R>(write: (text: string) => Effect.Effect<void, E, R>, report: Report) =>
  Effect.gen(function*() {
    const { snapshot } = yield* UnitOfWork
    const summary = new Map<string, number>()
    let total = 0
    yield* lines.pipe(
      Stream.runForEachChunk((chunk) => {
        let text = ""
        let last = ""
        for (const { kind, line } of chunk) {
          summary.set(kind, (summary.get(kind) ?? 0) + 1)
          total += 1
          text += `${line}\n`
          last = kind
        }
        // A chunk may be empty, and the platform reports an empty write as an error.
        if (text === "") return Effect.void
        // Reads and writes to a file may never wait, and then no signal would arrive.
        return Effect.zipRight(Effect.zipRight(write(text), report(last, total)), nextTurn)
      }),
      snapshot
    )
    return summary
  })

/** Writes all records to the standard output. */
export const toStandardOutput = (report: Report) => toWriter(StandardStreams.write, report)

/**
 * Writes all records to the file, which gets its name only when it is complete. Only its owner may read it.
 */
export const toFile = (path: string, options: NewFile.Options, report: Report) =>
  NewFile.write(path, options, (temporary) =>
    Effect.scoped(Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const open = yield* files.open(temporary, { flag: "w" })
      // The error of a full disk does not name the file.
      const write = (text: string) =>
        Effect.mapError(
          open.writeAll(Buffer.from(text)),
          (error) => new NewFile.FileRefused({ path, reason: error.description ?? error.message })
        )
      return yield* toWriter(write, report)
    })))
