import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Chunk, Console, Effect, Option, Stream } from "effect"
import * as DataDirectory from "../storage/DataDirectory.ts"
import { FileRefused } from "../storage/NewFile.ts"
import * as Import from "../transfer/Import.ts"
import type { Problem } from "../transfer/InvalidRecord.ts"
import * as Lines from "../transfer/Lines.ts"
import * as StandardStreams from "../transfer/StandardStreams.ts"
import { failures } from "../transfer/Tally.ts"
import { CommandFailed } from "./Failure.ts"
import * as PlainText from "./PlainText.ts"

/** The name of the file in messages. */
const nameOf = (file: string): string => file === StandardStreams.STANDARD ? "standard input" : file

const describe = (file: string, { kind, number, problems }: Import.FailedLine) =>
  problems.map(({ path, reason }: Problem) =>
    // The reason may quote the file, which others may have written.
    PlainText.oneLine(`${nameOf(file)}:${number}: ${kind}: ${path === "" ? "" : `${path}: `}${reason}`)
  ).join("\n")

/** The first bytes of a file that is compressed by gzip (RFC 1952, 2.3.1). */
const GZIP = Buffer.from([0x1f, 0x8b])

/** Fails if the file cannot be imported, so that a mistyped file name does not create a database. */
export const readable = (file: string) =>
  Effect.gen(function*() {
    if (file === StandardStreams.STANDARD) return
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(file))) return yield* new FileRefused({ path: file, reason: "there is no such file" })
    const { type } = yield* files.stat(file)
    if (type === "Directory") return yield* new FileRefused({ path: file, reason: "it is a folder" })
    yield* files.access(file, { readable: true })
    if (type !== "File") return
    const beginning = yield* Stream.runCollect(files.stream(file, { bytesToRead: GZIP.length }))
    if (Buffer.concat(Chunk.toReadonlyArray(beginning)).equals(GZIP)) {
      return yield* new FileRefused({ path: file, reason: "it is compressed: gunzip it first" })
    }
  })

const COPIED_AT_ONCE = 64 * 1024

/**
 * A strict import is one transaction, which must not wait for the writer of a pipe. The copy has no name, so that a killed
 * process leaves no personal data behind.
 */
const stored = (piped: typeof StandardStreams.input) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const name = yield* files.makeTempFileScoped({ prefix: "community-messaging-" })
    const copy = yield* files.open(name, { flag: "w+" })
    yield* files.remove(name)
    // The error of a full disk does not name the file.
    const refused = ({ description, message }: PlatformError) =>
      new FileRefused({ path: name, reason: `the standard input cannot be copied to it: ${description ?? message}` })
    yield* Stream.runForEach(piped, (bytes) => Effect.mapError(copy.writeAll(bytes), refused))
    yield* copy.seek(0, "start")
    return Stream.repeatEffectOption(
      Effect.flatMap(Effect.asSomeError(copy.readAlloc(COPIED_AT_ONCE)), Effect.mapError(Option.none))
    )
  })

/** The size of the file in bytes; none of a pipe, which can be read only once. */
export const sizeOf = (file: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    if (file === StandardStreams.STANDARD) return Option.none<number>()
    const { size, type } = yield* files.stat(file)
    return type === "File" ? Option.some(Number(size)) : Option.none()
  })

const bytesOf = (file: string, strict: boolean) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    if (Option.isSome(yield* sizeOf(file))) return files.stream(file)
    const piped = file === StandardStreams.STANDARD ? StandardStreams.input : StandardStreams.pipe(file)
    return strict ? yield* stored(piped) : piped
  })

/** Imports the file. Prints the problems of each line to the standard error, with line number and field. */
export const run = (
  file: string,
  options: Pick<Import.Options, "strict" | "progress">
) =>
  Effect.gen(function*() {
    const summary = yield* Import.run(Lines.fromBytes(yield* bytesOf(file, options.strict)), {
      ...options,
      report: (line) => Console.error(describe(file, line))
    })
    if (summary.size === 0 && Option.isNone(yield* sizeOf(file))) {
      // The writer may have failed: this side of a pipe does not get its exit code.
      return yield* new CommandFailed({ message: `${nameOf(file)} is empty: nothing was imported` })
    }
    return summary
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      StrictImportRefused: ({ summary }) =>
        new CommandFailed({ message: `nothing was imported: invalid lines: ${failures(summary)}` }),
      ImportStopped: ({ cause, firstLost, number }) => {
        const reasons = DataDirectory.messages(cause).join(": ")
        return new CommandFailed({
          message: `${nameOf(file)}:${number}: ${reasons}; line ${firstLost} and all lines after it are not imported`
        })
      }
    })
  )
