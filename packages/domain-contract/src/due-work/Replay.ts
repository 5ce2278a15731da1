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
}

/** Replays the events from the beginning. */
export const replay = (events: ReadonlyArray<DomainEvent>): Known => {
  const statuses = new Map<ScheduledMessageId, ScheduledMessageStatus>()
  const posted: Array<string> = []
  for (const event of events) {
    if (event._tag === "message.created") posted.push(Option.getOrElse(event.message.payload.content, () => ""))
    if (event._tag === "scheduled_message.updated") statuses.set(event.scheduledMessageId, event.status)
  }
  return { statuses, posted }
}
