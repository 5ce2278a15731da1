import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import { Effect, ParseResult, Schema } from "effect"
import { CommandFailed } from "./Failure.ts"

/** The flag for output in JSON. */
export const jsonFlag = Options.boolean("json").pipe(Options.withDescription("Print JSON."))

/** The argument for the name of a file. An empty one, as from an unset variable of a shell, would be the current folder. */
export const fileArgument = (description: string): Args.Args<string> =>
  Args.text({ name: "FILE" }).pipe(
    Args.withDescription(description),
    Args.mapEffect((file) => file === "" ? Effect.fail(HelpDoc.p("FILE must not be empty")) : Effect.succeed(file))
  )

/** Parses the value of an argument. The failure contains the argument's name. */
export const parse = <A, I>(
  argument: string,
  schema: Schema.Schema<A, I>,
  given: unknown
): Effect.Effect<A, CommandFailed> =>
  Schema.decodeUnknown(schema)(given).pipe(
    Effect.mapError((error) => {
      const reasons = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message }) => message)
      return new CommandFailed({ reason: `${argument} ${reasons.join(", ")}` })
    })
  )
