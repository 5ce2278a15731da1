import type { Array, Schema, SchemaAST } from "effect"

/** One of these values, with one message for a wrong one. Without it, each of the values has a message of its own. */
export const oneOf = <Values extends Array.NonEmptyReadonlyArray<SchemaAST.LiteralValue>>(
  schema: Schema.Literal<Values>
): Schema.Literal<Values> =>
  schema.annotations({
    message: () => ({ message: `must be one of ${schema.literals.join(", ")}`, override: true })
  })
