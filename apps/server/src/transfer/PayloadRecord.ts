import { Int32 } from "@community-messaging/domain/shared-kernel/Int32"
import { Schema } from "effect"
import { EmbedRecord } from "./EmbedRecord.ts"
import { Moment, optional, optionalNamed, withDefault } from "./RecordField.ts"

const Attachment = Schema.Struct({
  id: optional(Schema.String),
  filename: optional(Schema.String),
  size: optional(Schema.Int),
  flags: optional(Int32),
  title: optional(Schema.String),
  description: optional(Schema.String),
  contentType: optionalNamed("content_type", Schema.String),
  contentHash: optionalNamed("content_hash", Schema.String),
  url: optional(Schema.String),
  proxyUrl: optionalNamed("proxy_url", Schema.String),
  width: optional(Int32),
  height: optional(Int32),
  placeholder: optional(Schema.String),
  nsfw: optional(Schema.Boolean),
  duration: optional(Int32),
  waveform: optional(Schema.String),
  expiresAt: optionalNamed("expires_at", Moment),
  expired: optional(Schema.Boolean)
})

const Sticker = Schema.Struct({
  id: optional(Schema.String),
  name: optional(Schema.String),
  animated: optional(Schema.Boolean)
})

const AllowedMentions = Schema.Struct({
  parse: optional(Schema.Array(Schema.String)),
  users: optional(Schema.Array(Schema.String)),
  roles: optional(Schema.Array(Schema.String)),
  repliedUser: optionalNamed("replied_user", Schema.Boolean)
})

const MessageReference = Schema.Struct({
  messageId: optionalNamed("message_id", Schema.String),
  channelId: optionalNamed("channel_id", Schema.String),
  guildId: optionalNamed("guild_id", Schema.String),
  type: optional(Int32)
})

/** The content of a message in a record. Source: API reference, MessagePayload. */
export const PayloadRecord = Schema.Struct({
  content: optional(Schema.String),
  tts: optional(Schema.Boolean),
  embeds: optional(Schema.Array(EmbedRecord)),
  attachments: optional(Schema.Array(Attachment)),
  stickers: optional(Schema.Array(Sticker)),
  stickerIds: optionalNamed("sticker_ids", Schema.Array(Schema.String)),
  allowedMentions: optionalNamed("allowed_mentions", AllowedMentions),
  messageReference: optionalNamed("message_reference", MessageReference),
  flags: withDefault(Int32, () => 0),
  nonce: optional(Schema.String),
  favoriteMemeId: optionalNamed("favorite_meme_id", Schema.String)
})
