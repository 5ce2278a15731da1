import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { storageFlags } from "../configuration/Configuration.ts"
import * as Export from "../transfer/Export.ts"
import type { Composition } from "./Composition.ts"
import * as DataCommand from "./DataCommand.ts"

/** The command `export`. */
export const make = (composition: Composition) =>
  Command.make("export", {
    file: Args.text({ name: "FILE" }).pipe(Args.withDescription("File to write. An existing file is replaced.")),
    flags: storageFlags
  }, ({ file, flags }) =>
    DataCommand.run(
      composition,
      flags,
      "existing",
      Effect.gen(function*() {
        const summary = yield* Export.toFile(file)
        const counts = Array.from(summary, ([kind, count]) => `${kind}: ${count}`)
        yield* Console.error(counts.length === 0 ? "There is no data to export." : counts.join("\n"))
      })
    )).pipe(Command.withDescription("Export everything to a file for `import`."))
