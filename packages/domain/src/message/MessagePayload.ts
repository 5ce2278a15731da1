import { Schema } from "effect"
import { Int32 } from "../shared-kernel/Integer.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Embed } from "./Embed.ts"

/** A file of a message. Source: API reference, Attachment. `duration` is in seconds. */
export const Attachment = Schema.Struct({
  id: optionalField(Schema.String),
  filename: optionalField(Schema.String),
  size: optionalField(Schema.Int),
  flags: optionalField(Int32),
  title: optionalField(Schema.String),
  description: optionalField(Schema.String),
  contentType: optionalField(Schema.String),
  contentHash: optionalField(Schema.String),
  url: optionalField(Schema.String),
  proxyUrl: optionalField(Schema.String),
  width: optionalField(Int32),
  height: optionalField(Int32),
  placeholder: optionalField(Schema.String),
  nsfw: optionalField(Schema.Boolean),
  duration: optionalField(Int32),
  waveform: optionalField(Schema.String),
  expiresAt: optionalField(Schema.DateTimeUtc),
  expired: optionalField(Schema.Boolean)
}).annotations({ identifier: "Attachment" })
export interface Attachment extends Schema.Schema.Type<typeof Attachment> {}

/** A sticker of a message. Source: API reference, Sticker. */
export const Sticker = Schema.Struct({
  id: optionalField(Schema.String),
  name: optionalField(Schema.String),
  animated: optionalField(Schema.Boolean)
}).annotations({ identifier: "Sticker" })

/** Which mentions in a message may notify users. Source: API reference, AllowedMentions. */
export const AllowedMentions = Schema.Struct({
  parse: optionalField(Schema.Array(Schema.String)),
  users: optionalField(Schema.Array(Schema.String)),
  roles: optionalField(Schema.Array(Schema.String)),
  repliedUser: optionalField(Schema.Boolean)
}).annotations({ identifier: "AllowedMentions" })

/** The message that a message refers to. Source: API reference, MessageReference. */
export const MessageReference = Schema.Struct({
  messageId: optionalField(Schema.String),
  channelId: optionalField(Schema.String),
  guildId: optionalField(Schema.String),
  type: optionalField(Int32)
}).annotations({ identifier: "MessageReference" })

/** The content of a message. Source: API reference, MessagePayload. */
export const MessagePayload = Schema.Struct({
  content: optionalField(Schema.String),
  tts: optionalField(Schema.Boolean),
  embeds: optionalField(Schema.Array(Embed)),
  attachments: optionalField(Schema.Array(Attachment)),
  stickers: optionalField(Schema.Array(Sticker)),
  stickerIds: optionalField(Schema.Array(Schema.String)),
  allowedMentions: optionalField(AllowedMentions),
  messageReference: optionalField(MessageReference),
  flags: Int32.pipe(Schema.propertySignature, Schema.withConstructorDefault(() => 0)),
  nonce: optionalField(Schema.String),
  favoriteMemeId: optionalField(Schema.String)
}).annotations({ identifier: "MessagePayload" })
export interface MessagePayload extends Schema.Schema.Type<typeof MessagePayload> {}
