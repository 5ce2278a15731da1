import type { User } from "@community-messaging/domain/account/User"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { Effect } from "effect"
import { available, Deadline } from "../Deadline.ts"
import { Caller } from "../definition/Credentials.ts"
import * as ScheduledMessage from "../definition/ScheduledMessageResource.ts"
import type { Unhandled } from "./Unhandled.ts"

/** Endpoint 2. */
export const make = Effect.gen(function*() {
  const { list } = yield* ScheduledMessages
  const deadline = yield* Deadline
  return {
    list: (caller: User, statuses: ReadonlyArray<ScheduledMessageStatus>) =>
      Effect.map(
        available(list(caller.id, statuses), deadline),
        (messages) => messages.map(ScheduledMessage.fromEntity)
      )
  }
})

/** Answers the operations on scheduled messages. */
export const build = (handlers: Unhandled<"scheduledMessages">) =>
  Effect.map(
    make,
    ({ list }) =>
      handlers.handle(
        "list",
        ({ urlParams }) => Effect.flatMap(Caller, (caller) => list(caller, urlParams.status ?? []))
      )
  )
