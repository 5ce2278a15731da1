import { Effect } from "effect"

export const SUCCESS = 0

/** The exit codes that shells give to programs that a signal ended: 128 and its number. */
export const INTERRUPTED = 130
export const BROKEN_PIPE = 141

/** Sets the exit code of the process if nothing fails. */
export const set = (code: number): Effect.Effect<void> =>
  Effect.sync(() => {
    process.exitCode = code
  })
