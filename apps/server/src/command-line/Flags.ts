import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { type Array, Effect, ParseResult, Schema, type SchemaAST } from "effect"

/** The flag for output in JSON. */
export const jsonFlag = Options.boolean("json").pipe(Options.withDescription("Print JSON."))

/** The argument for the name of a file. An empty one, as from an unset variable of a shell, would be the current folder. */
export const fileArgument = (description: string): Args.Args<string> =>
  Args.text({ name: "FILE" }).pipe(
    Args.withDescription(description),
    Args.mapEffect((file) => file === "" ? Effect.fail(HelpDoc.p("FILE must not be empty")) : Effect.succeed(file))
  )

/** Decodes the value of an option or of an argument. The failure contains its name, which the parser's own does not. */
const decoding = <A, I>(name: string, schema: Schema.Schema<A, I>) => (text: string) =>
  Effect.mapError(Schema.decodeUnknown(schema)(text), (error) => {
    const reasons = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message }) => message)
    return HelpDoc.p(`${name} ${reasons.join(", ")}`)
  })

const decodingOption = <A, I>(name: string, schema: Schema.Schema<A, I>) => (text: string) =>
  Effect.mapError(decoding(`--${name}`, schema)(text), ValidationError.invalidValue)

/** An option whose value the schema decodes. */
export const option = <A, I>(name: string, schema: Schema.Schema<A, I>, description: string): Options.Options<A> =>
  Options.text(name).pipe(
    Options.withDescription(description),
    Options.mapEffect(decodingOption(name, schema))
  )

/** An option that may be given several times, and must be at least `minimum` times. */
export const repeatedOption = <A, I>(
  name: string,
  schema: Schema.Schema<A, I>,
  { description, minimum }: { readonly description: string; readonly minimum: number }
): Options.Options<ReadonlyArray<A>> =>
  Options.text(name).pipe(
    Options.withDescription(description),
    Options.atLeast(minimum),
    Options.mapEffect(Effect.forEach(decodingOption(name, schema)))
  )

/** One of these values, with one message for a wrong one. Without it, each of the values has a message of its own. */
export const oneOf = <Values extends Array.NonEmptyReadonlyArray<SchemaAST.LiteralValue>>(
  schema: Schema.Literal<Values>
): Schema.Literal<Values> =>
  schema.annotations({
    message: () => ({ message: `must be one of ${schema.literals.join(", ")}`, override: true })
  })

/** The argument for an id. */
export const idArgument = <A, I>(schema: Schema.Schema<A, I>, description: string): Args.Args<A> =>
  Args.text({ name: "ID" }).pipe(Args.withDescription(description), Args.mapEffect(decoding("ID", schema)))
