import { Cause, Chunk, Predicate } from "effect"

/*
 * Describes failures for the log: the type of each error and where it was thrown. Messages are left out, because they
 * may quote user input (API gaps, Credentials). Storage failures are expected, and there may be one for each request while a
 * database is unreachable. So they take one line each, with their causes.
 */

const nameOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "_tag") && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : typeof error
}

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" && error.code !== "" ? ` (${error.code})` : ""

const operationOf = (error: unknown): string =>
  Predicate.isTagged(error, "StorageError") && Predicate.hasProperty(error, "operation")
    ? ` in ${String(error.operation)}`
    : ""

const framesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at ")) : []

/** Describes the error in one line, and its cause with `describeCause`. */
const headOf = (error: unknown, describeCause: (cause: unknown) => string): string => {
  const cause = error instanceof Error && error.cause !== undefined ? `, caused by ${describeCause(error.cause)}` : ""
  return `${nameOf(error)}${codeOf(error)}${operationOf(error)}${cause}`
}

const inOneLine = (error: unknown): string => headOf(error, inOneLine)

/** Describes an error without its message. Databases and the system report the reason as a code. */
export const describeError = (error: unknown): string =>
  Predicate.isTagged(error, "StorageError")
    ? inOneLine(error)
    : [headOf(error, describeError), ...framesOf(error)].join("\n")

/** Describes all errors of a cause without their messages. */
export const describe = (cause: Cause.Cause<unknown>): string =>
  [...Chunk.toReadonlyArray(Cause.failures(cause)), ...Chunk.toReadonlyArray(Cause.defects(cause))]
    .map(describeError)
    .join("\n")
