import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Effect } from "effect"
import { storageFlags } from "../configuration/Configuration.ts"
import * as Import from "../transfer/Import.ts"
import type { Problem } from "../transfer/InvalidRecord.ts"
import * as Lines from "../transfer/Lines.ts"
import type { Composition } from "./Composition.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"

const describe = (file: string, { kind, number, problems }: Import.FailedLine) =>
  problems.map(({ path, reason }: Problem) => `${file}:${number}: ${kind}: ${path === "" ? "" : `${path}: `}${reason}`)
    .join("\n")

const total = (summary: Import.Summary) =>
  Array.from(
    summary,
    ([kind, { added, changed, failed, unchanged }]) =>
      `${kind}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${failed} failed`
  ).join("\n")

const readable = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.access(file, { readable: true }))

/** `import`. */
export const make = (composition: Composition) =>
  Command.make("import", {
    file: Args.text({ name: "FILE" }).pipe(
      Args.withDescription("File of JSON objects, one a line, each with its kind.")
    ),
    strict: Options.boolean("strict").pipe(Options.withDescription("Write nothing when any line is wrong.")),
    flags: storageFlags
  }, ({ file, flags, strict }) =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const summary = yield* Import.run(Lines.fromBytes(files.stream(file)), {
        strict,
        report: (line) => Console.error(describe(file, line))
      })
      yield* Console.error(total(summary))
      const failed = Import.failures(summary)
      if (failed > 0) return yield* new CommandFailed({ reason: `lines not imported: ${failed}` })
    }).pipe(
      Effect.catchTags({
        StrictImportRefused: ({ summary }) =>
          new CommandFailed({ reason: `nothing was imported: wrong lines: ${Import.failures(summary)}` }),
        ImportStopped: (stopped) => new CommandFailed({ reason: `${file}: ${stopped.message}` })
      }),
      (command) => DataCommand.run(composition, flags, "any", command),
      // Nobody wants a new database for a file name that was mistyped.
      (command) => Effect.zipRight(readable(file), command)
    )).pipe(Command.withDescription("Import users, guilds, members and everything else from a file."))
