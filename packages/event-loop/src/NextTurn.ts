import { Effect } from "effect"

/**
 * Waits for the next turn of the event loop, in which Node reads its sockets first. Effect's own yield continues in the same
 * turn up to some thousand times, and Node reads no socket in that time.
 */
export const nextTurn: Effect.Effect<void> = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
