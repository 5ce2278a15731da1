import { UserId } from "../account/User.ts"
import { event } from "../shared-kernel/Event.ts"
import { type ScheduledMessage, ScheduledMessageId } from "./ScheduledMessage.ts"
import { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"

/** A scheduled message was created, edited, or changed its status. */
export const ScheduledMessageUpdated = event("scheduled_message.updated", {
  scheduledMessageId: ScheduledMessageId,
  authorId: UserId,
  status: ScheduledMessageStatus
})

/** Makes the event of a message that was created, edited, or changed its status. */
export const scheduledMessageUpdated = ({ authorId, id, status }: ScheduledMessage) =>
  ScheduledMessageUpdated.of({ scheduledMessageId: id, authorId, status })
