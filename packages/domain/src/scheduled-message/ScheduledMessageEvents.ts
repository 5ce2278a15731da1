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

/** Makes the event of a message that was created, edited, or changed its status. The message is already validated. */
export const scheduledMessageUpdated = (
  { authorId, id, status }: ScheduledMessage
): typeof ScheduledMessageUpdated.Type => ({
  _tag: "scheduled_message.updated",
  version: 1,
  scheduledMessageId: id,
  authorId,
  status
})
