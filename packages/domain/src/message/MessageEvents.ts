import { event } from "../shared-kernel/Event.ts"
import { WITHOUT_VALIDATION } from "../shared-kernel/WithoutValidation.ts"
import { Message } from "./Message.ts"

/** A message was posted. */
export const MessageCreated = event("message.created", { message: Message })

/** Makes the event of a posted message. The message is already validated. */
export const messageCreated = (message: Message): typeof MessageCreated.Type =>
  MessageCreated.make({ version: 1, message }, WITHOUT_VALIDATION)
