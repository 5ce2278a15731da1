import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, Effect, Option } from "effect"
import * as Setting from "../configuration/Setting.ts"
import { storageFlags, storageSettings } from "../configuration/StorageSettings.ts"
import type * as Import from "../transfer/Import.ts"
import * as StandardStreams from "../transfer/StandardStreams.ts"
import { failures, type Summary } from "../transfer/Tally.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import * as FileImport from "./FileImport.ts"
import { fileArgument } from "./Flags.ts"
import * as Log from "./Log.ts"
import * as ProgressLine from "./ProgressLine.ts"
import { shellWord } from "./ShellWord.ts"

const counts = (summary: Summary): ReadonlyArray<string> =>
  Array.from(
    summary,
    ([kind, { added, changed, failed, unchanged }]) =>
      `${kind}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${failed} failed`
  )

/** What is imported from where. */
interface Request {
  readonly file: string
  readonly strict: boolean
  readonly flags: Setting.Flags
}

/** The same flags for another command. A secret is read from the environment. */
const wordsOf = (flags: Setting.Flags): ReadonlyArray<string> =>
  Object.values(storageSettings).flatMap(({ about: { name, secret = false } }) => {
    const value = flags.get(name)
    if (value === undefined) return []
    return [`--${Setting.flagName(name)}`, secret ? `"$${name}"` : shellWord(value)]
  })

/** The committed part of an interrupted import, and how to continue. */
const howToContinue = (
  { file, flags, strict }: Request,
  { committed }: Import.Progress,
  isPiped: boolean
): string => {
  if (strict || committed === 0) return "Interrupted: nothing was imported."
  const rest = isPiped ? "the rest" : `tail -n +${committed + 1} ${shellWord(file)}`
  const command = ["community-messaging", "import", StandardStreams.STANDARD, ...wordsOf(flags)].join(" ")
  return `Interrupted: the first ${committed} lines are imported. Import the file again, which leaves them unchanged, ` +
    `or continue with line ${committed + 1}: ${rest} | ${command}`
}

const NOT_PURGED =
  "The bytes of erased and replaced data are still in the storage. A server removes them while it runs."

/** Removes the bytes of erased accounts and replaced addresses from the storage. */
const purgeAfter = (summary: Summary) =>
  Effect.gen(function*() {
    if ((summary.get("user")?.changed ?? 0) === 0) return
    const { purge } = yield* DeletedData
    const isPurged = yield* Effect.orElseSucceed(purge, () => false)
    if (!isPurged) yield* Console.error(NOT_PURGED)
  }).pipe(
    Effect.onInterrupt(() => Console.error(NOT_PURGED))
  )

const run = (request: Request) =>
  Effect.gen(function*() {
    const { file, strict } = request
    yield* Log.discardWhatCannotBeWritten
    const size = yield* FileImport.sizeOf(file)
    const show = yield* ProgressLine.make
    const measure = yield* ProgressLine.stopwatch
    let state: Import.Progress = { lines: 0, bytes: 0, committed: 0, summary: new Map() }
    const printTotal = (summary: Summary) =>
      Effect.flatMap(measure(state.lines), (effort) => Console.error([...counts(summary), effort].join("\n")))
    // Counts only committed lines.
    const printCommitted = Effect.suspend(() => strict ? Effect.void : printTotal(state.summary))
    const summary = yield* FileImport.run(file, {
      strict,
      progress: (now) => {
        state = now
        const bar = Option.match(size, {
          onNone: () => "",
          onSome: (total) => `${ProgressLine.bar(now.bytes, total)} `
        })
        return show("Importing", () => `${bar}${ProgressLine.number(now.lines)} lines`)
      }
    }).pipe(
      Effect.onInterrupt(() =>
        Effect.zipRight(
          printCommitted,
          Effect.suspend(() => Console.error(howToContinue(request, state, Option.isNone(size))))
        )
      ),
      Effect.onError((cause) => cause._tag === "Fail" ? printCommitted : Effect.void)
    )
    yield* printTotal(summary)
    yield* purgeAfter(summary)
    const failed = failures(summary)
    if (failed > 0) return yield* new CommandFailed({ message: `lines not imported: ${failed}` })
  }).pipe(Effect.scoped)

/** The command `import`. */
export const command = Command.make("import", {
  file: fileArgument("File with one JSON object per line, each with its kind, or - for the standard input."),
  strict: Options.boolean("strict").pipe(Options.withDescription("Import nothing if any line is invalid.")),
  flags: storageFlags
}, (request) =>
  Effect.zipRight(
    FileImport.readable(request.file),
    DataCommand.run(request.flags, "any", run(request))
  )).pipe(Command.withDescription("Import users, guilds, members and everything else from a file."))
