import { type Layer, Logger } from "effect"
import type { ServerConfiguration } from "../configuration/Configuration.ts"

// The standard output is for results.
const commandLogger = Logger.withConsoleError(Logger.logfmtLogger)

/** The log of all commands except `serve`, on the standard error. */
export const ofCommands: Layer.Layer<never> = Logger.replace(Logger.defaultLogger, commandLogger)

/** The log of `serve`, in the configured format. */
export const ofServer = (format: ServerConfiguration["logFormat"]): Layer.Layer<never> => {
  switch (format === "auto" ? (process.stderr.isTTY ? "pretty" : "json") : format) {
    case "json":
      return Logger.replace(commandLogger, Logger.withConsoleError(Logger.jsonLogger))
    case "logfmt":
      return Logger.replace(commandLogger, commandLogger)
    case "pretty":
      return Logger.replace(commandLogger, Logger.prettyLogger({ stderr: true }))
  }
}
