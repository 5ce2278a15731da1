import { event } from "../shared-kernel/Event.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { Message } from "./Message.ts"

/** A message was posted. */
export const MessageCreated = event("message.created", { message: Message })

/** The event of a message that was posted. The message is checked already. */
export const messageCreated = (message: Message): typeof MessageCreated.Type =>
  MessageCreated.make({ version: 1, message }, PARTS_CHECKED)
