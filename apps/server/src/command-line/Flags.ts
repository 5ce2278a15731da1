import { Options } from "@effect/cli"

/** Asks for output that programs read. */
export const jsonFlag = Options.boolean("json").pipe(Options.withDescription("Print JSON, for programs to read."))
