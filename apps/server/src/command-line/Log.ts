import { Effect, type Layer, Logger, type Scope } from "effect"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import * as Colours from "./Colours.ts"
import * as TerminalLog from "./TerminalLog.ts"

// The standard output is for results.
const commandLogger = Logger.withConsoleError(Logger.logfmtLogger)

/** The log of all commands except `serve`, on the standard error. */
export const ofCommands: Layer.Layer<never> = Logger.replace(Logger.defaultLogger, commandLogger)

/** The log of `serve`, in the configured format. */
export const ofServer = (format: ServerConfiguration["logFormat"]): Layer.Layer<never> => {
  const loggers = {
    json: Logger.jsonLogger,
    logfmt: Logger.logfmtLogger,
    pretty: TerminalLog.logger({ colours: Colours.areWanted(process.stderr) })
  }
  const logger = loggers[format === "auto" ? (process.stderr.isTTY ? "pretty" : "json") : format]
  return Logger.replace(commandLogger, Logger.withConsoleError(logger))
}

/**
 * Discards output to the standard output and error that cannot be written, because the disk is full or the reader has closed
 * the pipe. Without this, Node ends the process, which is right for a command without a reader, but not for a server.
 */
export const discardWhatCannotBeWritten: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const discard = () => {}
    process.stdout.on("error", discard)
    process.stderr.on("error", discard)
    return discard
  }),
  (discard) =>
    Effect.sync(() => {
      process.stdout.off("error", discard)
      process.stderr.off("error", discard)
    })
)
