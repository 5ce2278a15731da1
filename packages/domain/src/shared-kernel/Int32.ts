import { Schema } from "effect"

/** An integer of 32 bits. Source: API reference, Conventions. */
export const Int32 = Schema.Int.pipe(
  Schema.between(-2_147_483_648, 2_147_483_647, { message: () => "must be -2147483648 to 2147483647" })
)
