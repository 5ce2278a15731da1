import { Args, Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { storageFlags } from "../configuration/Configuration.ts"
import { failures, type Summary } from "../transfer/Tally.ts"
import type { Composition } from "./Composition.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import * as FileImport from "./FileImport.ts"

const total = (summary: Summary) =>
  Array.from(
    summary,
    ([kind, { added, changed, failed, unchanged }]) =>
      `${kind}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${failed} failed`
  ).join("\n")

/** The command `import`. */
export const make = (composition: Composition) =>
  Command.make("import", {
    file: Args.text({ name: "FILE" }).pipe(
      Args.withDescription("File with one JSON object per line, each with its kind.")
    ),
    strict: Options.boolean("strict").pipe(Options.withDescription("Import nothing if any line is invalid.")),
    flags: storageFlags
  }, ({ file, flags, strict }) =>
    Effect.gen(function*() {
      const summary = yield* FileImport.run(file, { strict })
      yield* Console.error(total(summary))
      const failed = failures(summary)
      if (failed > 0) return yield* new CommandFailed({ reason: `lines not imported: ${failed}` })
    }).pipe(
      (command) => DataCommand.run(composition, flags, "any", command),
      (command) => Effect.zipRight(FileImport.readable(file), command)
    )).pipe(Command.withDescription("Import users, guilds, members and everything else from a file."))
