import type { Message } from "@community-messaging/domain/message/Message"
import { DateTime, Option } from "effect"
import * as MessagePayload from "../wire/MessagePayloadResource.ts"

/** A posted message, as the event `message.created` has it. Source: Events, Types. */
export interface MessageResource {
  readonly id: string
  readonly channel_id: string
  readonly guild_id: string
  readonly author:
    | { readonly type: "user"; readonly user_id: string }
    | { readonly type: "webhook"; readonly webhook_id: string; readonly name: string; readonly avatar: string | null }
  readonly payload: MessagePayload.MessagePayloadResource
  /** ISO 8601 in UTC. */
  readonly created_at: string
}

const authorOf = ({ author }: Message): MessageResource["author"] =>
  author._tag === "User"
    ? { type: "user", user_id: author.userId }
    : {
      type: "webhook",
      webhook_id: author.webhookId,
      name: author.name,
      avatar: Option.getOrNull(author.avatar)
    }

/** Converts a posted message. */
export const fromEntity = (message: Message): MessageResource => ({
  id: message.id,
  channel_id: message.channelId,
  guild_id: message.guildId,
  author: authorOf(message),
  payload: MessagePayload.fromEntity(message.payload),
  created_at: DateTime.formatIso(message.createdAt)
})
