import * as Command from "@effect/cli/Command"
import { Console, Effect } from "effect"
import { ServerConfiguration, serverFlags } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import * as Doctor from "../doctor/Doctor.ts"
import { type Finding, problem } from "../doctor/Finding.ts"
import { CommandFailed } from "./Failure.ts"
import { jsonFlag } from "./Flags.ts"
import * as Json from "./Json.ts"
import { table } from "./Table.ts"

/** The row of a finding, and another row with its advice. */
const rowsOf = ({ advice, check, found, level }: Finding): ReadonlyArray<ReadonlyArray<string>> => [
  [level, check, found],
  ...advice === "" ? [] : [["", "", `-> ${advice}`]]
]

/** The command `doctor`. `common` are the flags that all commands have. */
export const make = (common: Setting.Flags) =>
  Command.make("doctor", { json: jsonFlag, flags: serverFlags }, ({ flags, json }) =>
    Effect.gen(function*() {
      const findings = yield* Setting.load(ServerConfiguration, new Map([...common, ...flags])).pipe(
        Effect.flatMap(Doctor.check),
        Effect.catchTag("ConfigError", (error) =>
          Effect.succeed([problem("settings", Setting.describeError(error), "see the command config")]))
      )
      yield* json ? Json.print(findings) : Console.log(table(findings.flatMap(rowsOf)))
      const problems = findings.filter(({ level }) =>
        level === "problem"
      ).length
      if (problems > 0) return yield* new CommandFailed({ message: `problems found: ${problems}` })
    })).pipe(
      Command.withDescription(
        "Check the settings, the data folder, the database, Redis and the machine. Changes no data."
      )
    )
