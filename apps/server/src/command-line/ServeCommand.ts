import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Console, Effect, Layer, Option } from "effect"
import { ServerConfiguration, serverFlags } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import * as Demo from "../demo/Demo.ts"
import * as DemoPage from "../demo/DemoPage.ts"
import * as ServerComposition from "../ServerComposition.ts"
import { localUrl } from "../serving/Listening.ts"
import { ListeningServer } from "../serving/ListeningServer.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import { MetricsUrl } from "../telemetry/Telemetry.ts"
import * as ExitCode from "./ExitCode.ts"
import { CommandFailed } from "./Failure.ts"
import * as FileImport from "./FileImport.ts"
import * as Log from "./Log.ts"

const importAtStart = (file: string) =>
  Effect.flatMap(
    FileImport.run(file, { strict: true }),
    (summary) => Effect.annotateLogs(Effect.log(`Imported ${file}`), Object.fromEntries(summary))
  )

/**
 * Fails if memory storage starts empty: there are no tokens, and no other command can access the memory to issue one.
 */
const refuseEmptyMemory = (configuration: ServerConfiguration, filled: boolean) =>
  configuration.data.storage === "memory" && !filled
    ? new CommandFailed({
      message: "STORAGE is memory, which starts empty, so no client could authenticate: add --import FILE or --demo"
    })
    : Effect.void

/** The keys of a demo are valid without `--demo`, too. */
const warnOfDemo = Effect.whenEffect(
  Effect.logWarning("The database has the accounts and the admin key of a demo: use another one for your data"),
  Demo.isThere
)

/** Prepares the demo, and prints how to try it. */
const presentDemo = ({ data }: ServerConfiguration, url: string, { open, refusal }: DemoPage.DemoPage) =>
  Effect.gen(function*() {
    const { address } = yield* ListeningServer
    const { facts, instructions } = yield* Demo.prepare(data.dataDirectory, url, address.port, refusal)
    yield* open(facts)
    // The server continues without a reader.
    yield* Effect.catchAllDefect(Console.log(instructions), () => Effect.void)
  })

/** Returns the absolute path of the database file that the start creates; none if it exists. */
const missingDatabase = (configuration: ServerConfiguration["data"]) =>
  Effect.gen(function*() {
    if (configuration.storage !== "sqlite") return Option.none()
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const database = paths.resolve(yield* DataDirectory.databaseFile(configuration.dataDirectory))
    return (yield* files.exists(database)) ? Option.none() : Option.some(database)
  })

interface ServeOptions {
  readonly demo: boolean
  /** The file to import first. */
  readonly file: Option.Option<string>
  readonly flags: Setting.Flags
}

/** Serves until the process gets a signal. */
const serve = ({ demo, file, flags }: ServeOptions) =>
  Effect.gen(function*() {
    const configuration = yield* Setting.load(ServerConfiguration, flags)
    yield* refuseEmptyMemory(configuration, demo || Option.isSome(file))
    if (Option.isSome(file)) yield* FileImport.readable(file.value)
    return yield* Effect.gen(function*() {
      yield* Log.discardWhatCannotBeWritten
      const preparation = Effect.zipRight(
        Effect.when(Demo.refuseOtherData, () => demo),
        Option.match(file, { onNone: () => Effect.void, onSome: importAtStart })
      )
      const page = yield* demo ? Effect.asSome(DemoPage.make(configuration)) : Effect.succeedNone
      const pages = Option.match(page, { onNone: () => [], onSome: (made) => made.pages })
      const missing = yield* missingDatabase(configuration.data)
      const context = yield* Layer.build(ServerComposition.server(configuration, preparation, pages))
      return yield* Effect.gen(function*() {
        const { address, drain } = yield* ListeningServer
        const url = `${localUrl(address)}/v1`
        // A mistake in the name of the folder would otherwise start an empty service without a sign.
        if (Option.isSome(missing)) yield* Effect.log(`Created the database ${missing.value}`)
        yield* Effect.log(`Listening on ${url}`)
        yield* Effect.flatMap(
          MetricsUrl,
          Option.match({ onNone: () => Effect.void, onSome: (metrics) => Effect.log(`Metrics on ${metrics}`) })
        )
        yield* Option.match(page, {
          // A database that is down now ends no server, and does not delay its stop.
          onNone: () => Effect.asVoid(Effect.fork(Effect.ignore(warnOfDemo))),
          onSome: (made) => presentDemo(configuration, url, made)
        })
        return yield* Effect.never.pipe(
          Effect.ensuring(Effect.zipRight(Effect.log("Stopping"), drain))
        )
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped, Effect.provide(Log.ofServer(configuration.logFormat)))
  }).pipe(Effect.onInterrupt(() => ExitCode.set(ExitCode.SUCCESS)))

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
  serve
).pipe(
  Command.withDescription("Serve HTTP until the process gets SIGINT, SIGTERM or SIGHUP.")
)
