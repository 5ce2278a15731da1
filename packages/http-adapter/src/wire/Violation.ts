import { Schema } from "effect"
import { field } from "./WireType.ts"

/** The kinds of violation in a field of a body or in a parameter (API gaps, Errors). */
export const ViolationCode = Schema.Literal(
  "INVALID_FORMAT",
  "REQUIRED",
  "INVALID_SNOWFLAKE_FORMAT",
  "SNOWFLAKE_OUT_OF_RANGE",
  "STRING_LENGTH_INVALID",
  "NUMBER_OUT_OF_RANGE",
  "TOO_MANY_ITEMS",
  "INVALID_ENUM_VALUE",
  "INVALID_EMAIL_FORMAT",
  "EMAIL_ALREADY_IN_USE",
  "INVALID_IMAGE_FORMAT",
  "IMAGE_TOO_LARGE"
).annotations({ identifier: "ViolationCode", description: "The kind of violation." })
export type ViolationCode = typeof ViolationCode.Type

/** The path of the body as a whole. */
export const ROOT = "root"

/** A violation in a request. */
export const Violation = Schema.Struct({
  path: Schema.String.annotations({
    description: "Where: dotted with array indexes, the name of a parameter, or `root` for the body as a whole.",
    examples: ["embeds.0.title"]
  }),
  message: Schema.String.annotations({ description: "For people: what the value must be." }),
  code: field(ViolationCode, "The kind of violation.")
}).annotations({ identifier: "Violation", description: "A violation in a request." })
export interface Violation extends Schema.Schema.Type<typeof Violation> {}
