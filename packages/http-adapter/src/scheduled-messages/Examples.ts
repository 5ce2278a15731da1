import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { DateTime, Option } from "effect"
import type { Example } from "../wire/Example.ts"
import { fromEntity } from "./ScheduledMessageResource.ts"

const message = ScheduledMessage.make({
  id: ScheduledMessageId.make("1573950414577991681"),
  authorId: UserId.make("573071110963200003"),
  channelId: ChannelId.make("573071110963200011"),
  scheduledAt: DateTime.unsafeMake("2027-03-28T07:30:00.000Z"),
  scheduledLocalAt: LocalDateTime.make("2027-03-28T09:30:00"),
  timezone: TimeZoneName.make("Europe/Berlin"),
  status: "scheduled",
  payload: MessagePayload.make({ content: Option.some("The kiln is open from ten today.") }),
  createdAt: DateTime.unsafeMake("2026-11-22T06:37:01.414Z")
})

/** The example of a list of scheduled messages. */
export const scheduledMessages = {
  listScheduledMessages: {
    parameters: { status: ["scheduled"] },
    response: [fromEntity(message)],
    violations: [{
      path: "status",
      message: "must be one of: pending, invalid, scheduled, sent, failed, cancelled",
      code: "INVALID_ENUM_VALUE"
    }]
  }
} satisfies Record<string, Example>
