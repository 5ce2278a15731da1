import { type Cause, Effect } from "effect"
import * as LoggedCause from "./LoggedCause.ts"

/** The result of one batch of due work. */
export interface BatchResult {
  /** The number of claimed items. If it equals the batch's limit, more items may be due. */
  readonly claimed: number
  /** The number of items handled successfully. */
  readonly done: number
  /**
   * The number of items that failed. They are retried after their lease, at their next attempt, or in the next batch.
   */
  readonly failed: number
}

/** Logs that a failed item could not be recorded as such, for example because of a defect that also let it fail. */
const logUnrecorded = (cause: Cause.Cause<never>) =>
  Effect.annotateLogs(Effect.logError("A failure of due work could not be recorded"), {
    cause: LoggedCause.describe(cause)
  })

/**
 * Handles the items one by one. A failed item does not stop the others, not even if `onFailure` fails, too. `handle` returns
 * false if the item needed no work any more.
 */
export const handleEach = <Item, E>(
  items: ReadonlyArray<Item>,
  handle: (item: Item) => Effect.Effect<boolean, E>,
  onFailure: (item: Item, cause: Cause.Cause<E>) => Effect.Effect<void>
): Effect.Effect<BatchResult> =>
  Effect.map(
    Effect.forEach(items, (item) =>
      Effect.catchAllCause(
        handle(item),
        (cause) => Effect.as(Effect.catchAllCause(onFailure(item, cause), logUnrecorded), "failed" as const)
      )),
    (outcomes) => ({
      claimed: items.length,
      done: outcomes.filter((outcome) => outcome === true).length,
      failed: outcomes.filter((outcome) => outcome === "failed").length
    })
  )
