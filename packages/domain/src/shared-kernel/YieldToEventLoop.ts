import { Duration, Effect } from "effect"

/**
 * Yields to the event loop by timers: Node reads sockets after timers. Effect's own yield continues in the same turn of the
 * event loop up to some thousand times, and no request is read in that time. Node counts whole milliseconds, so the first
 * timer may end at once, in the same turn. The second timer begins with a new millisecond and lasts all of it.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.zipRight(
  Effect.sleep(Duration.zero),
  Effect.sleep(Duration.zero)
)
