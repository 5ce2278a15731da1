import type { Message } from "@community-messaging/domain/message/Message"
import { DateTime, Option } from "effect"
import * as MessagePayload from "../wire/MessagePayloadResource.ts"

const authorOf = ({ author }: Message) =>
  author._tag === "User"
    ? { type: "user", user_id: author.userId }
    : {
      type: "webhook",
      webhook_id: author.webhookId,
      name: author.name,
      avatar: Option.getOrNull(author.avatar)
    }

/** Converts a posted message to JSON, as the event `message.created` has it. Source: Events, Types. */
export const fromEntity = (message: Message) => ({
  id: message.id,
  channel_id: message.channelId,
  guild_id: message.guildId,
  author: authorOf(message),
  payload: MessagePayload.fromEntity(message.payload),
  created_at: DateTime.formatIso(message.createdAt)
})
