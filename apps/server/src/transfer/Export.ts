import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, Stream } from "effect"
import { KINDS } from "./Kinds.ts"
import type { TransferPorts } from "./RecordKind.ts"

/** The number of exported records by kind. */
export type Summary = ReadonlyMap<string, number>

/** Only the owner may read the file, because it contains personal data. */
const OWNER_ONLY = 0o600

/** All records as lines, in an order in which they can be imported. */
const lines: Stream.Stream<{ readonly kind: string; readonly line: string }, StorageError, TransferPorts> = Stream
  .fromIterable(KINDS).pipe(
    Stream.flatMap(({ kind, lines: ofKind }) => Stream.map(ofKind, (line) => ({ kind, line })))
  )

/**
 * Writes all records to the file. Only its owner may read the file. The records are of one snapshot, even if a server
 * writes to the same data in the meantime. The file is replaced atomically: it is written under another name in the
 * same folder, synced, and then renamed.
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
          // A chunk may be empty, and the platform reports an empty write as an error.
          return text === "" ? Effect.void : open.writeAll(encoder.encode(text))
        }),
        snapshot
      )
      yield* open.sync
    }))
    yield* files.rename(temporary, file)
    return summary
  }))
