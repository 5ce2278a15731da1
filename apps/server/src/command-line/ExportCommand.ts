import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, Effect } from "effect"
import * as Setting from "../configuration/Setting.ts"
import { StorageConfiguration, storageFlags } from "../configuration/StorageSettings.ts"
import { keptFiles } from "../storage/Backup.ts"
import * as Export from "../transfer/Export.ts"
import * as StandardStreams from "../transfer/StandardStreams.ts"
import * as DataCommand from "./DataCommand.ts"
import * as ExitCode from "./ExitCode.ts"
import { fileArgument } from "./Flags.ts"
import * as Log from "./Log.ts"
import * as ProgressLine from "./ProgressLine.ts"

/** Exports, and prints the counts, also of a part if the export is interrupted. */
const run = (file: string, options: { readonly replace: boolean; readonly keep: ReadonlyArray<string> }) =>
  Effect.gen(function*() {
    yield* Log.discardWhatCannotBeWritten
    const show = yield* ProgressLine.make
    const measure = yield* ProgressLine.stopwatch
    let written = 0
    const report: Export.Report = (kind, lines) => {
      written = lines
      return show("Exporting", () => `${kind}, ${ProgressLine.number(lines)} lines`)
    }
    const isStandard = file === StandardStreams.STANDARD
    const exported = Effect.if(isStandard, {
      onTrue: () => Export.toStandardOutput(report),
      onFalse: () => Export.toFile(file, options, report)
    })
    const result = isStandard ? "the export is incomplete" : "there is no export"
    const summary = yield* Effect.onInterrupt(
      exported,
      () => Effect.flatMap(measure(written), (effort) => Console.error(`Interrupted: ${result}. ${effort}`))
    )
    const counts = Array.from(summary, ([kind, count]) => `${kind}: ${count}`)
    const effort = yield* measure(written)
    yield* Console.error(counts.length === 0 ? "There is no data to export." : [...counts, effort].join("\n"))
  }).pipe(
    Effect.scoped,
    Effect.catchTag("OutputClosed", () => ExitCode.set(ExitCode.BROKEN_PIPE))
  )

/** The command `export`. */
export const command = Command.make("export", {
  file: fileArgument("File to write, or - for the standard output."),
  force: Options.boolean("force").pipe(Options.withDescription("Replace the file if it exists.")),
  flags: storageFlags
}, ({ file, flags, force }) =>
  Effect.gen(function*() {
    const { dataDirectory } = yield* Setting.load(StorageConfiguration, flags)
    const keep = yield* keptFiles(dataDirectory)
    yield* DataCommand.run(flags, "existing", run(file, { replace: force, keep }))
  })).pipe(Command.withDescription("Export everything to a file for `import`."))
