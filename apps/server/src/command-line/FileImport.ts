import { FileSystem } from "@effect/platform"
import { Console, Effect } from "effect"
import * as DataDirectory from "../storage/DataDirectory.ts"
import * as Import from "../transfer/Import.ts"
import type { Problem } from "../transfer/InvalidRecord.ts"
import * as Lines from "../transfer/Lines.ts"
import { failures } from "../transfer/Tally.ts"
import { CommandFailed } from "./Failure.ts"

const describe = (file: string, { kind, number, problems }: Import.FailedLine) =>
  problems.map(({ path, reason }: Problem) => `${file}:${number}: ${kind}: ${path === "" ? "" : `${path}: `}${reason}`)
    .join("\n")

/** Fails if the file does not exist, so that a mistyped file name does not create a database. */
export const readable = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.access(file, { readable: true }))

/** Imports the file. Prints the problems of each line to the standard error, with line number and field. */
export const run = (file: string, { strict }: { readonly strict: boolean }) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    return yield* Import.run(Lines.fromBytes(files.stream(file)), {
      strict,
      report: (line) => Console.error(describe(file, line))
    })
  }).pipe(
    Effect.catchTags({
      StrictImportRefused: ({ summary }) =>
        new CommandFailed({ reason: `nothing was imported: invalid lines: ${failures(summary)}` }),
      ImportStopped: ({ cause, firstLost, number }) => {
        const reasons = DataDirectory.messages(cause).join(": ")
        return new CommandFailed({
          reason: `${file}:${number}: ${reasons}; line ${firstLost} and all lines after it are not imported`
        })
      }
    })
  )
