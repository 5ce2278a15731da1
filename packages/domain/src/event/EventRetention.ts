import { Context, DateTime, Duration, Effect } from "effect"
import { EventLog } from "../shared-kernel/EventLog.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"

/** How long events are stored. A setting of the server. */
export class EventRetention extends Context.Reference<EventRetention>()("@community-messaging/domain/EventRetention", {
  defaultValue: () => Duration.days(31)
}) {}

/** The events that are older than `EventRetention`. */
export class ExpiredEvents extends UseCase<ExpiredEvents, {
  /** Removes up to `limit` of them, the oldest first. Returns the count. */
  readonly remove: (limit: number) => Effect.Effect<number, StorageError>
}>()(
  "@community-messaging/domain/ExpiredEvents",
  Effect.gen(function*() {
    const log = yield* EventLog
    // Read here, as all settings of use cases: who removes the events may not have the setting.
    const retention = yield* EventRetention
    return {
      remove: (limit) =>
        Effect.flatMap(
          DateTime.now,
          (now) => log.removeBefore(DateTime.subtractDuration(now, retention), limit)
        )
    }
  })
) {}
