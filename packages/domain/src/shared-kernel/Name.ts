import { Schema } from "effect"

/** A name that is not empty. */
export const Name = Schema.NonEmptyString.annotations({ message: () => "must not be empty" })
