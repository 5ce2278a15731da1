import { type Cause, Effect } from "effect"

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

/**
 * Handles the items one by one. A failed item does not stop the others. `handle` returns false if the item needed no
 * work any more.
 */
export const handleEach = <Item, E>(
  items: ReadonlyArray<Item>,
  handle: (item: Item) => Effect.Effect<boolean, E>,
  onFailure: (item: Item, cause: Cause.Cause<E>) => Effect.Effect<void>
): Effect.Effect<BatchResult> =>
  Effect.map(
    Effect.forEach(items, (item) =>
      Effect.catchAllCause(handle(item), (cause) => Effect.as(onFailure(item, cause), "failed" as const))),
    (outcomes) => ({
      claimed: items.length,
      done: outcomes.filter((outcome) =>
        outcome === true
      ).length,
      failed: outcomes.filter((outcome) => outcome === "failed").length
    })
  )
