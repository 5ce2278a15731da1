import type { Message } from "@community-messaging/domain/message/Message"
import { DateTime, Option, Schema } from "effect"
import * as MessagePayload from "../wire/MessagePayloadResource.ts"
import { field, nullable, onWire, Snowflake, Timestamp } from "../wire/WireType.ts"

const Author = Schema.Union(
  Schema.Struct({
    type: field(Schema.Literal("user"), "An account posted it."),
    user_id: field(Snowflake, "The account.")
  }).annotations({ identifier: "UserAuthor", description: "An account that posted a message." }),
  Schema.Struct({
    type: field(Schema.Literal("webhook"), "A webhook posted it."),
    webhook_id: field(Snowflake, "The webhook."),
    name: field(Schema.String, "The name of the webhook at that time."),
    avatar: field(nullable(Schema.String), "The hash of its avatar at that time; null if it had none.")
  }).annotations({ identifier: "WebhookAuthor", description: "A webhook that posted a message." })
)

/** A posted message, as the event `message.created` has it. Source: Events, Types. */
export const MessageResource = Schema.Struct({
  id: field(Snowflake, "Identifies the message."),
  channel_id: field(Snowflake, "Its channel."),
  guild_id: field(Snowflake, "The guild of the channel."),
  author: field(Author, "Who posted it."),
  payload: field(onWire(MessagePayload.MessagePayloadResource), "Its content."),
  created_at: field(Timestamp, "When it was posted.")
}).annotations({ identifier: "Message", description: "A posted message." })
export interface MessageResource extends Schema.Schema.Type<typeof MessageResource> {}

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
