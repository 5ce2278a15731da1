import * as FileSystem from "@effect/platform/FileSystem"
import { Clock, ConfigProvider, Effect, Exit, Schema } from "effect"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import { COMMUNITY, toText } from "../transfer/Community.ts"

/** The result of a command. */
export interface Ended {
  readonly succeeded: boolean
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command with that environment to its end, as if it were typed, and collects its output. */
export const run = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.consoleWith((console) => {
    const stdout: Array<string> = []
    const stderr: Array<string> = []
    const collect = (output: Array<string>) => (...texts: ReadonlyArray<unknown>) =>
      Effect.sync(() => {
        output.push(`${texts.join(" ")}\n`)
      })
    return CommandLine.run(["node", "main.js", ...args]).pipe(
      Effect.withConsole({ ...console, log: collect(stdout), error: collect(stderr) }),
      // The dates in files are of the real time, also with a test clock.
      Effect.withClock(Clock.make()),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.exit,
      Effect.map((exit): Ended => ({
        succeeded: Exit.isSuccess(exit),
        stdout: stdout.join(""),
        stderr: stderr.join("")
      }))
    )
  })

/** A data directory that does not exist yet. */
export const dataDirectory = Effect.map(
  Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped()),
  (directory) => `${directory}/data`
)

/** A data directory with the community of the tests of import and export, and the imported file. */
export const community = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const DATA_DIR = yield* dataDirectory
  const file = `${DATA_DIR}.ndjson`
  yield* files.writeFileString(file, toText(COMMUNITY))
  yield* run(["import", file], { DATA_DIR })
  return { DATA_DIR, file }
})

/** Imports the text into the data directory, as a file. */
export const importText = (DATA_DIR: string, text: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* files.makeTempFileScoped()
    yield* files.writeFileString(file, text)
    return yield* run(["import", file], { DATA_DIR })
  })

const Findings = Schema.parseJson(Schema.Array(Schema.Struct({
  check: Schema.String,
  level: Schema.Literal("ok", "warning", "problem"),
  found: Schema.String,
  advice: Schema.String
})))

/** The findings of the doctor, by check, and whether the command succeeds. */
export const examine = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const { stdout, succeeded } = yield* run(["doctor", "--json"], environment)
    const findings = yield* Schema.decode(Findings)(stdout)
    return { succeeded, of: (check: string) => findings.find((finding) => finding.check === check), findings }
  })
