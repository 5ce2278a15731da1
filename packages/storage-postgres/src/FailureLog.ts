import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect } from "effect"

/** Logs the first of several failures in a row, and the first success after them. */
export const make = (failing: string, again: string) => {
  let isFailing = false
  return {
    onFailure: (error: StorageError) =>
      Effect.suspend(() => {
        if (isFailing) return Effect.void
        isFailing = true
        return Effect.annotateLogs(Effect.logWarning(failing), { cause: LoggedCause.describeError(error) })
      }),
    onSuccess: Effect.suspend(() => {
      if (!isFailing) return Effect.void
      isFailing = false
      return Effect.logInfo(again)
    })
  }
}
