import * as NodeStream from "@effect/platform-node/NodeStream"
import { SystemError } from "@effect/platform/Error"
import { Data, Effect, Predicate, type Stream } from "effect"
import { createReadStream } from "node:fs"

/** The name that means the standard input and output. */
export const STANDARD = "-"

/** The reader of the standard output has closed it. */
export class OutputClosed extends Data.TaggedError("OutputClosed") {}

const failure = (method: string, cause: unknown): SystemError =>
  new SystemError({
    reason: "Unknown",
    module: "Stream",
    method,
    cause,
    description: `${method}: ${Predicate.isError(cause) ? cause.message : String(cause)}`
  })

/** The bytes of the standard input. */
export const input: Stream.Stream<Uint8Array, SystemError> = NodeStream.fromReadable(
  () => process.stdin,
  (cause) => failure("read the standard input", cause)
)

/** The bytes of a pipe, which cannot be read at a position. */
export const pipe = (path: string): Stream.Stream<Uint8Array, SystemError> =>
  NodeStream.fromReadable(() => createReadStream(path), (cause) => failure(`read ${path}`, cause))

const notWritten = (cause: Error): Effect.Effect<never, OutputClosed | SystemError> =>
  Effect.fail(
    Predicate.hasProperty(cause, "code") && cause.code === "EPIPE"
      ? new OutputClosed()
      : failure("write to the standard output", cause)
  )

/** Writes to the standard output, and waits until the reader has read it. */
export const write = (text: string): Effect.Effect<void, OutputClosed | SystemError> =>
  Effect.async((resume) => {
    process.stdout.write(text, (cause) => resume(Predicate.isError(cause) ? notWritten(cause) : Effect.void))
  })

/**
 * Fails if an earlier write to the standard output failed, and waits for a slow reader: Node's console ignores failures, and
 * keeps in memory what is not read yet.
 */
export const allWritten: Effect.Effect<void, OutputClosed | SystemError> = Effect.suspend(() => {
  if (process.stdout.writableNeedDrain) return write("")
  const cause = process.stdout.errored
  return Predicate.isError(cause) ? notWritten(cause) : Effect.void
})
