import { event } from "../shared-kernel/Event.ts"
import { Message } from "./Message.ts"

/** A message was posted. */
export const MessageCreated = event("message.created", { message: Message })

/** Makes the event of a posted message. The message is already validated. */
export const messageCreated = (message: Message): typeof MessageCreated.Type => ({
  _tag: "message.created",
  version: 1,
  message
})
