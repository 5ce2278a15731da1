import { FileSystem } from "@effect/platform"
import { Console, Effect } from "effect"
import * as DataDirectory from "../storage/DataDirectory.ts"
import * as Import from "../transfer/Import.ts"
import type { Problem } from "../transfer/InvalidRecord.ts"
import * as Lines from "../transfer/Lines.ts"
import { CommandFailed } from "./Failure.ts"

const describe = (file: string, { kind, number, problems }: Import.FailedLine) =>
  problems.map(({ path, reason }: Problem) => `${file}:${number}: ${kind}: ${path === "" ? "" : `${path}: `}${reason}`)
    .join("\n")

/** Fails where there is no such file: nobody wants a new database for a file name that was mistyped. */
export const readable = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.access(file, { readable: true }))

/** Takes in the file. What is wrong with a line is told on the standard error, by number and field. */
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
        new CommandFailed({ reason: `nothing was imported: wrong lines: ${Import.failures(summary)}` }),
      ImportStopped: ({ cause, firstLost, number }) => {
        const reasons = DataDirectory.messages(cause).join(": ")
        return new CommandFailed({
          reason: `${file}:${number}: ${reasons}; nothing is imported from line ${firstLost} on`
        })
      }
    })
  )
