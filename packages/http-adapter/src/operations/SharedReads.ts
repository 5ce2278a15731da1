import type { EventLog, SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { type Context, Effect } from "effect"

type Read = Context.Tag.Service<EventLog>["read"]

/** A page that was read, and the number of its reading. */
interface LastRead {
  readonly number: number
  readonly after: number
  readonly limit: number
  readonly events: ReadonlyArray<SequencedEvent>
}

/**
 * Reads a log of events for many readers. Each continues in its own turn of the event loop, because many at once would block
 * it. Readers at the same position share one read, which is usual when an event happens. A reader does not share a read that
 * began before its own request, because an event may have been committed in between.
 */
export const sharedReads = (read: Read): Read => {
  // Effect's semaphore wakes all waiting readers each time, which takes seconds for some hundreds of them.
  const turn = new FifoLock()
  let number = 0
  let last: LastRead | undefined
  return (after, limit) =>
    Effect.suspend(() => {
      const numberAtStart = number
      const readOrShare = Effect.suspend(() => {
        if (last !== undefined && last.number > numberAtStart && last.after === after && last.limit === limit) {
          return Effect.succeed(last.events)
        }
        number += 1
        const own = number
        return Effect.tap(read(after, limit), (events) => {
          last = { number: own, after, limit, events }
        })
      })
      return turn.inTurn(Effect.zipRight(nextTurn, readOrShare))
    })
}
