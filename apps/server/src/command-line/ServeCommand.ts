import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect } from "effect"
import { serverFlags } from "../configuration/Configuration.ts"
import * as ProgramPart from "../ProgramPart.ts"

/** The command `serve`. */
export const command = Command.make(
  "serve",
  {
    demo: Options.boolean("demo").pipe(
      Options.withDescription("Create demo data, and print a curl command for every operation.")
    ),
    file: Options.text("import").pipe(
      Options.withDescription(
        "File to import first, as `import --strict` does: if a line is invalid, the server does not start."
      ),
      Options.optional
    ),
    flags: serverFlags
  },
  (options) => Effect.flatMap(ProgramPart.load(() => import("./ServeHandler.ts")), (handler) => handler.run(options))
).pipe(
  Command.withDescription("Serve HTTP until the process gets SIGINT, SIGTERM or SIGHUP.")
)
