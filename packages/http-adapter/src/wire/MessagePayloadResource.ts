import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import type { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { Either, Schema } from "effect"
import * as Attachment from "./AttachmentResource.ts"
import * as Embed from "./EmbedResource.ts"
import { Int32, named, optionField } from "./WireType.ts"

/** A sticker of a message. Source: API reference, Sticker. */
export const StickerResource = Schema.Struct({
  id: optionField(Schema.String, "Identifies the sticker."),
  name: optionField(Schema.String, "The name."),
  animated: optionField(Schema.Boolean, "Whether it moves.")
}).annotations({ identifier: "Sticker", description: "A sticker of a message." })

/** Which mentions in a message may notify users. Source: API reference, AllowedMentions. */
export const AllowedMentionsResource = Schema.Struct({
  parse: optionField(Schema.Array(Schema.String), "The kinds of mentions that notify, such as `users`."),
  users: optionField(Schema.Array(Schema.String), "The accounts that may be notified."),
  roles: optionField(Schema.Array(Schema.String), "The roles that may be notified."),
  repliedUser: optionField(
    Schema.Boolean,
    "Whether the author of the message that this one replies to is notified.",
    "replied_user"
  )
}).annotations({ identifier: "AllowedMentions", description: "Which mentions in a message may notify users." })

/** The message that a message refers to. Source: API reference, MessageReference. */
export const MessageReferenceResource = Schema.Struct({
  messageId: optionField(Schema.String, "The message.", "message_id"),
  channelId: optionField(Schema.String, "Its channel.", "channel_id"),
  guildId: optionField(Schema.String, "Its guild.", "guild_id"),
  type: optionField(Int32, "The kind of reference, such as 0.")
}).annotations({ identifier: "MessageReference", description: "The message that a message refers to." })

/**
 * The content of a message. Missing values are left out, except `content` and `flags`. Source: API reference,
 * MessagePayload; API gaps, Wire conventions.
 */
export const MessagePayloadResource = Schema.Struct({
  content: named(Schema.OptionFromNullOr(Schema.String), "The text; null if there is none.", "content"),
  tts: optionField(Schema.Boolean, "Whether clients read the text aloud."),
  embeds: optionField(Schema.Array(Embed.EmbedResource), "Rich content below the text."),
  attachments: optionField(Schema.Array(Attachment.AttachmentResource), "Files."),
  stickers: optionField(Schema.Array(StickerResource), "Stickers."),
  stickerIds: optionField(Schema.Array(Schema.String), "The ids of the stickers.", "sticker_ids"),
  allowedMentions: optionField(AllowedMentionsResource, "Which mentions may notify users.", "allowed_mentions"),
  messageReference: optionField(
    MessageReferenceResource,
    "The message that this one refers to.",
    "message_reference"
  ),
  flags: named(Int32, "Properties of the message, a bit set; 0 if it has none.", "flags"),
  nonce: optionField(Schema.String, "An identifier that the author chose."),
  favoriteMemeId: optionField(Schema.String, "Identifies a favorite meme.", "favorite_meme_id")
}).annotations({ identifier: "MessagePayload", description: "The content of a message." })
export interface MessagePayloadResource extends Schema.Schema.Encoded<typeof MessagePayloadResource> {}

/**
 * The content of a message in an import or a call of the service: like `MessagePayloadResource`, but `content` and `flags` may
 * be left out.
 */
export const MessagePayloadInput = Schema.Struct({
  ...MessagePayloadResource.fields,
  content: Schema.optionalWith(Schema.String, { as: "Option", nullable: true, exact: true }),
  flags: Schema.optionalWith(Int32, { default: () => 0, exact: true })
})

const encode = CompiledSchema.encodeTrustedEither(MessagePayloadResource)

/** Converts a payload to its resource. */
export const fromEntity = (payload: MessagePayload): MessagePayloadResource => Either.getOrThrow(encode(payload))
