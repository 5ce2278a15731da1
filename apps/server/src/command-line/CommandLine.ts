import type { CliApp } from "@effect/cli/CliApp"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import { SystemError } from "@effect/platform/Error"
import { Cause, Console, Data, Effect, Logger } from "effect"
import { logLevel } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import { PartNotLoaded } from "../ProgramPart.ts"
import { OutputClosed } from "../transfer/StandardStreams.ts"
import * as Version from "../Version.ts"
import * as Arguments from "./Arguments.ts"
import * as BackupCommand from "./BackupCommand.ts"
import * as CommandTree from "./CommandTree.ts"
import * as ConfigCommand from "./ConfigCommand.ts"
import * as DoctorCommand from "./DoctorCommand.ts"
import * as ExitCode from "./ExitCode.ts"
import * as ExportCommand from "./ExportCommand.ts"
import { describe, type Failure, oneLine } from "./Failure.ts"
import * as GuildCommand from "./GuildCommand.ts"
import * as ImportCommand from "./ImportCommand.ts"
import * as Log from "./Log.ts"
import * as LogCommands from "./LogCommands.ts"
import * as MessageCommand from "./MessageCommand.ts"
import * as MigrateCommand from "./MigrateCommand.ts"
import { OVERVIEW } from "./Overview.ts"
import * as ServeCommand from "./ServeCommand.ts"
import * as TerminalConsole from "./TerminalConsole.ts"
import * as TokenCommand from "./TokenCommand.ts"
import * as UserCommand from "./UserCommand.ts"
import * as WebhookCommand from "./WebhookCommand.ts"

const NAME = "community-messaging"

/** The command failed, and the reason is already printed. */
export class CommandReported extends Data.TaggedError("CommandReported") {}

/** The program as a command, with all its commands. `flags` are the settings that apply to all of them. */
export const commands = (flags: Setting.Flags = new Map()) =>
  Command.make(NAME, {}, () => Console.log(OVERVIEW)).pipe(
    CommandTree.withSubcommands([
      ServeCommand.command,
      TokenCommand.command,
      WebhookCommand.command,
      UserCommand.command,
      GuildCommand.command,
      MessageCommand.command,
      LogCommands.events,
      LogCommands.audit,
      ImportCommand.command,
      ExportCommand.command,
      BackupCommand.backup,
      BackupCommand.restore,
      MigrateCommand.command,
      ConfigCommand.make(flags),
      DoctorCommand.make(flags)
    ])
  )

/** The parser's description of a mistake in the arguments, in one line. */
const mistake = ({ error }: ValidationError.ValidationError): string => oneLine(HelpDoc.toAnsiText(error))

const isOverview = (words: ReadonlyArray<string>): boolean =>
  words.length === 0 || (words.length === 1 && words[0] === "--help")

/** A console has no typed errors, so an output that cannot be written is a defect. */
const describeDefect = (defect: unknown): string => {
  if (defect instanceof SystemError) return describe(defect)
  if (!(defect instanceof PartNotLoaded)) return `unexpected failure: ${Cause.pretty(Cause.die(defect))}`
  const [reason = ""] = String(defect.cause).split("\n")
  return oneLine(`cannot be loaded, install it again. ${reason}`)
}

const endWithDefect = (defect: unknown): Effect.Effect<void, CommandReported> =>
  defect instanceof OutputClosed
    ? ExitCode.set(ExitCode.BROKEN_PIPE)
    : Effect.zipRight(Console.error(`${NAME}: ${describeDefect(defect)}`), new CommandReported())

/**
 * Runs the command of the arguments (which include Node's first two). Results go to the standard output, messages for
 * people to the standard error. A failure is printed as one line there.
 */
export const run = (
  args: ReadonlyArray<string>
): Effect.Effect<void, CommandReported, CliApp.Environment> => {
  const arranged = Arguments.arrange(CommandTree.make(commands()), args.slice(2))
  return Effect.gen(function*() {
    const { command: path, flags, words } = yield* arranged
    // The overview ignores a wrong environment, but a wrong flag is an error without a command, too.
    if (isOverview(words) && flags.size === 0) return yield* Console.log(OVERVIEW)
    const level = yield* Setting.load(logLevel, flags)
    if (isOverview(words)) return yield* Console.log(OVERVIEW)
    const console = yield* Effect.console
    // A mistake in the arguments is printed below instead.
    const parsing = TerminalConsole.ofParser(console, [NAME, ...path])
    const command = Command.transformHandler(commands(flags), Effect.withConsole(console))
    const cli = Command.run(command, { name: NAME, version: yield* Version.read })
    yield* Logger.withMinimumLogLevel(Effect.withConsole(cli([...args.slice(0, 2), ...words]), parsing), level)
  }).pipe(
    Effect.provide([CliConfig.layer({ showBuiltIns: false, isCaseSensitive: true }), Log.ofCommands]),
    Effect.catchAll((failure: Failure | ValidationError.ValidationError) =>
      Effect.zipRight(
        Console.error(`${NAME}: ${ValidationError.isValidationError(failure) ? mistake(failure) : describe(failure)}`),
        new CommandReported()
      )
    ),
    Effect.catchAllDefect(endWithDefect),
    TerminalConsole.withTerminalOutput
  )
}
