import { UserId } from "../account/User.ts"
import { event } from "../shared-kernel/Event.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { type ScheduledMessage, ScheduledMessageId } from "./ScheduledMessage.ts"
import { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"

/** A scheduled message was made, edited, or went on to another status. */
export const ScheduledMessageUpdated = event("scheduled_message.updated", {
  scheduledMessageId: ScheduledMessageId,
  authorId: UserId,
  status: ScheduledMessageStatus
})

/** The event of a message that is made, edited, or goes on to the status that it has now. It is checked already. */
export const scheduledMessageUpdated = (
  { authorId, id, status }: ScheduledMessage
): typeof ScheduledMessageUpdated.Type =>
  ScheduledMessageUpdated.make({ version: 1, scheduledMessageId: id, authorId, status }, PARTS_CHECKED)
