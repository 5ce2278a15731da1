import { Context, DateTime, Duration, Effect } from "effect"
import { EventLog } from "../shared-kernel/EventLog.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"

/** How long events are stored. A setting of the server. */
export class EventRetention extends Context.Reference<EventRetention>()("@community-messaging/domain/EventRetention", {
  defaultValue: () => Duration.days(31)
}) {}

/** Removes up to `limit` events that are older than `EventRetention`. Returns the count. */
export const removeExpired = (limit: number): Effect.Effect<number, StorageError, EventLog> =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const retention = yield* EventRetention
    const now = yield* DateTime.now
    return yield* log.removeBefore(DateTime.subtractDuration(now, retention), limit)
  })
