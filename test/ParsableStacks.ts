import { beforeEach } from "vitest"

/** The length to which a line of a message is cut. The error has the whole message besides. */
const MAX_LINE_LENGTH = 500

/** Returns the stack with lines that Vitest can parse in no time. */
export const parsable = (stack: string): string =>
  stack.split("\n")
    .map((line) => /^\s*at /.test(line) ? line : line.slice(0, MAX_LINE_LENGTH).replaceAll("\"", "'"))
    .join("\n")

const correct = (error: unknown): void => {
  if (typeof error !== "object" || error === null) return
  if ("stack" in error && typeof error.stack === "string") Object.assign(error, { stack: parsable(error.stack) })
  if ("cause" in error) correct(error.cause)
}

// Vitest parses the message in a stack, too, by a regular expression that takes minutes for a line with many quotes. An effect
// that succeeds, although the test expects that it fails, has such a message: its result as JSON.
beforeEach(({ onTestFailed }) => {
  onTestFailed(({ task }) => task.result?.errors?.forEach(correct))
})
