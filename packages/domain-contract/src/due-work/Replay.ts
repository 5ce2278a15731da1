import type { UserId } from "@community-messaging/domain/account/User"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { Option } from "effect"

/** The state that a reader finds from the events alone. */
export interface Known {
  /** The status of each scheduled message that has an event. */
  readonly statuses: ReadonlyMap<ScheduledMessageId, ScheduledMessageStatus>
  /** The contents of the posted messages, in the order of the events. */
  readonly posted: ReadonlyArray<string>
  /** Accounts that are scheduled for deletion. */
  readonly pending: ReadonlySet<UserId>
  /** Accounts that were deleted, in the order of the events, once for each event. */
  readonly deleted: ReadonlyArray<UserId>
}

/** Replays the events from the beginning. */
export const replay = (events: ReadonlyArray<DomainEvent>): Known => {
  const statuses = new Map<ScheduledMessageId, ScheduledMessageStatus>()
  const posted: Array<string> = []
  const pending = new Set<UserId>()
  const deleted: Array<UserId> = []
  for (const event of events) {
    switch (event._tag) {
      case "message.created": {
        posted.push(Option.getOrElse(event.message.payload.content, () => ""))
        break
      }
      case "scheduled_message.updated": {
        statuses.set(event.scheduledMessageId, event.status)
        break
      }
      case "user.deletion_scheduled": {
        pending.add(event.userId)
        break
      }
      case "user.deletion_cancelled": {
        pending.delete(event.userId)
        break
      }
      case "user.deleted": {
        pending.delete(event.userId)
        deleted.push(event.userId)
        break
      }
      case "consent.granted":
      case "member.joined":
      case "member.left":
      case "member.updated":
      case "user.updated":
      case "webhook.deleted":
      case "webhook.updated":
    }
  }
  return { statuses, posted, pending, deleted }
}
