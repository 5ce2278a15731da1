import { event } from "../shared-kernel/Event.ts"
import { Message } from "./Message.ts"

/** A message was posted. */
export const MessageCreated = event("message.created", { message: Message })
