import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, Stream } from "effect"
import { KINDS } from "./Kinds.ts"
import type { TransferPorts } from "./RecordKind.ts"

/** How many records of each kind were written. */
export type Summary = ReadonlyMap<string, number>

/** The file holds personal data. */
const OWNER_ONLY = 0o600

/** Every record of the service as lines, in an order in which they can be imported. */
const lines: Stream.Stream<{ readonly kind: string; readonly line: string }, StorageError, TransferPorts> = Stream
  .fromIterable(KINDS).pipe(
    Stream.flatMap(({ kind, lines: ofKind }) => Stream.map(ofKind, (line) => ({ kind, line })))
  )

/**
 * Writes every record to the file, which only its owner may read. All of them are of one moment, though a server that
 * works on the same data goes on writing. The file is there whole or not at all: it is written under another name beside its place, made durable,
 * and put there in one step, in the place of any that was there.
 */
export const toFile = (
  file: string
): Effect.Effect<Summary, PlatformError | StorageError, FileSystem.FileSystem | TransferPorts> =>
  Effect.scoped(Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const { snapshot } = yield* UnitOfWork
    const temporary = `${file}.${process.pid}.part`
    const remove = files.remove(temporary, { force: true })
    yield* Effect.zipRight(remove, Effect.addFinalizer(() => Effect.ignore(remove)))
    const summary = new Map<string, number>()
    const encoder = new TextEncoder()
    yield* Effect.scoped(Effect.gen(function*() {
      const open = yield* files.open(temporary, { flag: "wx", mode: OWNER_ONLY })
      yield* lines.pipe(
        Stream.runForEachChunk((chunk) => {
          let text = ""
          for (const { kind, line } of chunk) {
            summary.set(kind, (summary.get(kind) ?? 0) + 1)
            text += `${line}\n`
          }
          // A chunk may be empty, and the file system takes a write of nothing for a full disk.
          return text === "" ? Effect.void : open.writeAll(encoder.encode(text))
        }),
        snapshot
      )
      yield* open.sync
    }))
    yield* files.rename(temporary, file)
    return summary
  }))
