import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { FileSystem } from "@effect/platform"
import { type PlatformError, SystemError } from "@effect/platform/Error"
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

/** The file to replace, without links. Anything else is not replaced, such as a device: `/dev/stdout` would be lost. */
const replaceable = (path: string): Effect.Effect<string, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(path))) return path
    const file = yield* files.realPath(path)
    if ((yield* files.stat(file)).type === "File") return file
    return yield* new SystemError({
      reason: "BadResource",
      module: "FileSystem",
      method: "export",
      pathOrDescriptor: path,
      description: "not a regular file"
    })
  })

/**
 * Writes all records to the file. Only its owner may read the file. The records are of one snapshot, even if a server
 * writes to the same data in the meantime. The file is replaced atomically: it is written under another name in the
 * same folder, synced, and then renamed.
 */
export const toFile = (
  path: string
): Effect.Effect<Summary, PlatformError | StorageError, FileSystem.FileSystem | TransferPorts> =>
  Effect.scoped(Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const { snapshot } = yield* UnitOfWork
    const file = yield* replaceable(path)
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
