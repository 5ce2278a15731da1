import type { Message } from "@community-messaging/domain/message/Message"
import * as MessagePayload from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { DateTime, Option } from "effect"

/** A posted message. */
export interface PostedMessage {
  readonly id: string
  readonly guild_id: string
  readonly channel_id: string
  readonly author:
    | { readonly type: "user"; readonly user_id: string }
    | { readonly type: "webhook"; readonly webhook_id: string; readonly name: string; readonly avatar: string | null }
  readonly payload: MessagePayload.MessagePayloadResource
  /** ISO 8601 in UTC. */
  readonly created_at: string
}

/** Converts a message of the domain. */
export const fromEntity = (message: Message): PostedMessage => ({
  id: message.id,
  guild_id: message.guildId,
  channel_id: message.channelId,
  author: message.author._tag === "User"
    ? { type: "user", user_id: message.author.userId }
    : {
      type: "webhook",
      webhook_id: message.author.webhookId,
      name: message.author.name,
      avatar: Option.getOrNull(message.author.avatar)
    },
  payload: MessagePayload.fromEntity(message.payload),
  created_at: DateTime.formatIso(message.createdAt)
})
