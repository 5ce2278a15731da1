import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { Effect } from "effect"
import type { Handlers } from "../server/Handlers.ts"
import type { ScheduledMessagesGroup } from "./Api.ts"
import * as ScheduledMessage from "./ScheduledMessageResource.ts"

/** Handles the operations on scheduled messages. */
export const make: Effect.Effect<Handlers<typeof ScheduledMessagesGroup>, never, ScheduledMessages> = Effect.map(
  ScheduledMessages,
  ({ list }) => ({
    list: ({ caller, urlParams: { status = [] } }) =>
      Effect.map(list(caller.id, status), (messages) => messages.map(ScheduledMessage.fromEntity))
  })
)
