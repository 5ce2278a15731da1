import type { EventLog, SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { type Context, Effect } from "effect"

type Read = Context.Tag.Service<EventLog>["read"]

/** A page that was read, and the number of its reading. */
interface KeptPage {
  readonly number: number
  readonly after: number
  readonly limit: number
  readonly events: ReadonlyArray<SequencedEvent>
}

/** The maximum number of kept pages. Readers of the same events are seldom at the same page, but not far from each other. */
const MAX_KEPT_PAGES = 8

/**
 * Reads a log of events for many readers. Each continues in its own turn of the event loop, because many at once would block
 * it. Readers at about the same position share their reads: all of them when an event happens, and those that read the past
 * together, such as after a restart of the server. A page that is not full may lack an event that was committed after its
 * read began, so it is shared only with readers that had requested it before. When no reader reads or waits, no page is kept.
 */
export const sharedReads = (read: Read): Read => {
  // Effect's semaphore wakes all waiting readers each time, which takes seconds for some hundreds of them.
  const turn = new FifoLock()
  let number = 0
  let kept: ReadonlyArray<KeptPage> = []
  return (after, limit) =>
    Effect.suspend(() => {
      const numberAtStart = number
      const isShared = (page: KeptPage) =>
        page.after === after && page.limit === limit && (page.events.length === limit || page.number > numberAtStart)
      const readOrShare = Effect.suspend(() => {
        const page = kept.find(isShared)
        if (page !== undefined) return Effect.succeed(page.events)
        number += 1
        const own = number
        return Effect.tap(read(after, limit), (events) => {
          kept = [{ number: own, after, limit, events }, ...kept.slice(0, MAX_KEPT_PAGES - 1)]
        })
      })
      // Outside of the turn: a reader that leaves before its turn may be the last one.
      const forget = Effect.sync(() => {
        if (!turn.isHeld) kept = []
      })
      return Effect.ensuring(turn.inTurn(Effect.zipRight(nextTurn, readOrShare)), forget)
    })
}
