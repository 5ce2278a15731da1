import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { ChannelId } from "../guild/Channel.ts"
import { GuildId } from "../guild/Guild.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { WebhookId } from "../shared-kernel/WebhookId.ts"
import { MessagePayload } from "./MessagePayload.ts"

/** Identifies a message. */
export const MessageId = Snowflake.pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

/** The author of a message: an account, or a webhook with the name and avatar that it had when it posted. */
export const MessageAuthor = Schema.Union(
  Schema.TaggedStruct("User", { userId: UserId }),
  Schema.TaggedStruct("Webhook", {
    webhookId: WebhookId,
    name: Schema.String,
    avatar: optionalField(Schema.String)
  })
)
export type MessageAuthor = typeof MessageAuthor.Type

/** A message posted in a channel. */
export const Message = Schema.Struct({
  id: MessageId,
  channelId: ChannelId,
  guildId: GuildId,
  author: MessageAuthor,
  payload: MessagePayload,
  createdAt: Schema.DateTimeUtc
}).annotations({ identifier: "Message" })
export interface Message extends Schema.Schema.Type<typeof Message> {}
