import { Cause, Chunk, Predicate } from "effect"

/*
 * Describes failures for the log: the type of each error and where it was thrown. Messages are left out, because they
 * may quote user input (API gaps, Credentials). Failures of storage are expected, and there may be one for each request
 * while a database is away: what matters is why, in one line.
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

const causedBy = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? `, caused by ${describeError(error.cause)}` : ""

/** Describes in one line why storage failed: codes name the reasons of databases and of the system. */
const describeStorageError = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined
    ? `, caused by ${describeStorageError(error.cause)}`
    : ""
  return `${nameOf(error)}${codeOf(error)}${operationOf(error)}${cause}`
}

/** Describes an error without its message. */
export const describeError = (error: unknown): string =>
  Predicate.isTagged(error, "StorageError")
    ? describeStorageError(error)
    : [`${nameOf(error)}${codeOf(error)}${causedBy(error)}`, ...framesOf(error)].join("\n")

/** Describes all errors of a cause without their messages. */
export const describe = (cause: Cause.Cause<unknown>): string =>
  [...Chunk.toReadonlyArray(Cause.failures(cause)), ...Chunk.toReadonlyArray(Cause.defects(cause))]
    .map(describeError)
    .join("\n")
