import type {
  AllowedMentions,
  MessagePayload,
  MessageReference,
  Sticker
} from "@community-messaging/domain/message/MessagePayload"
import { Option, Schema } from "effect"
import * as Attachment from "./AttachmentResource.ts"
import * as Embed from "./EmbedResource.ts"
import { field, Int32, nullable, optional } from "./WireType.ts"

/** A sticker of a message. Source: API reference, Sticker. */
export const StickerResource = Schema.Struct({
  id: optional(Schema.String, "Identifies the sticker."),
  name: optional(Schema.String, "The name."),
  animated: optional(Schema.Boolean, "Whether it moves.")
}).annotations({ identifier: "Sticker", description: "A sticker of a message." })
export interface StickerResource extends Schema.Schema.Type<typeof StickerResource> {}

/** Which mentions in a message may notify users. Source: API reference, AllowedMentions. */
export const AllowedMentionsResource = Schema.Struct({
  parse: optional(Schema.Array(Schema.String), "The kinds of mentions that notify, such as `users`."),
  users: optional(Schema.Array(Schema.String), "The accounts that may be notified."),
  roles: optional(Schema.Array(Schema.String), "The roles that may be notified."),
  replied_user: optional(Schema.Boolean, "Whether the author of the message that this one replies to is notified.")
}).annotations({ identifier: "AllowedMentions", description: "Which mentions in a message may notify users." })
export interface AllowedMentionsResource extends Schema.Schema.Type<typeof AllowedMentionsResource> {}

/** The message that a message refers to. Source: API reference, MessageReference. */
export const MessageReferenceResource = Schema.Struct({
  message_id: optional(Schema.String, "The message."),
  channel_id: optional(Schema.String, "Its channel."),
  guild_id: optional(Schema.String, "Its guild."),
  type: optional(Int32, "The kind of reference, such as 0.")
}).annotations({ identifier: "MessageReference", description: "The message that a message refers to." })
export interface MessageReferenceResource extends Schema.Schema.Type<typeof MessageReferenceResource> {}

/**
 * The content of a message. Missing values are left out, except `content` and `flags`. Source: API reference,
 * MessagePayload; API gaps, Wire conventions.
 */
export const MessagePayloadResource = Schema.Struct({
  content: field(nullable(Schema.String), "The text; null if there is none."),
  tts: optional(Schema.Boolean, "Whether clients read the text aloud."),
  embeds: optional(Schema.Array(Embed.EmbedResource), "Rich content below the text."),
  attachments: optional(Schema.Array(Attachment.AttachmentResource), "Files."),
  stickers: optional(Schema.Array(StickerResource), "Stickers."),
  sticker_ids: optional(Schema.Array(Schema.String), "The ids of the stickers."),
  allowed_mentions: optional(AllowedMentionsResource, "Which mentions may notify users."),
  message_reference: optional(MessageReferenceResource, "The message that this one refers to."),
  flags: field(Int32, "Properties of the message, a bit set; 0 if it has none."),
  nonce: optional(Schema.String, "An identifier that the author chose."),
  favorite_meme_id: optional(Schema.String, "Identifies a favorite meme.")
}).annotations({ identifier: "MessagePayload", description: "The content of a message." })
export interface MessagePayloadResource extends Schema.Schema.Type<typeof MessagePayloadResource> {}

const stickerFromEntity = (sticker: typeof Sticker.Type): StickerResource => ({
  ...(Option.isSome(sticker.id) && { id: sticker.id.value }),
  ...(Option.isSome(sticker.name) && { name: sticker.name.value }),
  ...(Option.isSome(sticker.animated) && { animated: sticker.animated.value })
})

const stickerToEntity = (sticker: StickerResource): typeof Sticker.Type => ({
  id: Option.fromNullable(sticker.id),
  name: Option.fromNullable(sticker.name),
  animated: Option.fromNullable(sticker.animated)
})

const mentionsFromEntity = (mentions: typeof AllowedMentions.Type): AllowedMentionsResource => ({
  ...(Option.isSome(mentions.parse) && { parse: mentions.parse.value }),
  ...(Option.isSome(mentions.users) && { users: mentions.users.value }),
  ...(Option.isSome(mentions.roles) && { roles: mentions.roles.value }),
  ...(Option.isSome(mentions.repliedUser) && { replied_user: mentions.repliedUser.value })
})

const mentionsToEntity = (mentions: AllowedMentionsResource): typeof AllowedMentions.Type => ({
  parse: Option.fromNullable(mentions.parse),
  users: Option.fromNullable(mentions.users),
  roles: Option.fromNullable(mentions.roles),
  repliedUser: Option.fromNullable(mentions.replied_user)
})

const referenceFromEntity = (reference: typeof MessageReference.Type): MessageReferenceResource => ({
  ...(Option.isSome(reference.messageId) && { message_id: reference.messageId.value }),
  ...(Option.isSome(reference.channelId) && { channel_id: reference.channelId.value }),
  ...(Option.isSome(reference.guildId) && { guild_id: reference.guildId.value }),
  ...(Option.isSome(reference.type) && { type: reference.type.value })
})

const referenceToEntity = (reference: MessageReferenceResource): typeof MessageReference.Type => ({
  messageId: Option.fromNullable(reference.message_id),
  channelId: Option.fromNullable(reference.channel_id),
  guildId: Option.fromNullable(reference.guild_id),
  type: Option.fromNullable(reference.type)
})

/** Converts a payload to its resource. */
export const fromEntity = (payload: MessagePayload): MessagePayloadResource => ({
  content: Option.getOrNull(payload.content),
  ...(Option.isSome(payload.tts) && { tts: payload.tts.value }),
  ...(Option.isSome(payload.embeds) && { embeds: payload.embeds.value.map(Embed.fromEntity) }),
  ...(Option.isSome(payload.attachments) && { attachments: payload.attachments.value.map(Attachment.fromEntity) }),
  ...(Option.isSome(payload.stickers) && { stickers: payload.stickers.value.map(stickerFromEntity) }),
  ...(Option.isSome(payload.stickerIds) && { sticker_ids: payload.stickerIds.value }),
  ...(Option.isSome(payload.allowedMentions) && {
    allowed_mentions: mentionsFromEntity(payload.allowedMentions.value)
  }),
  ...(Option.isSome(payload.messageReference) && {
    message_reference: referenceFromEntity(payload.messageReference.value)
  }),
  flags: payload.flags,
  ...(Option.isSome(payload.nonce) && { nonce: payload.nonce.value }),
  ...(Option.isSome(payload.favoriteMemeId) && { favorite_meme_id: payload.favoriteMemeId.value })
})

/** Converts a decoded resource to a payload. */
export const toEntity = (payload: MessagePayloadResource): MessagePayload => ({
  content: Option.fromNullable(payload.content),
  tts: Option.fromNullable(payload.tts),
  embeds: Option.map(Option.fromNullable(payload.embeds), (embeds) => embeds.map(Embed.toEntity)),
  attachments: Option.map(Option.fromNullable(payload.attachments), (files) => files.map(Attachment.toEntity)),
  stickers: Option.map(Option.fromNullable(payload.stickers), (stickers) => stickers.map(stickerToEntity)),
  stickerIds: Option.fromNullable(payload.sticker_ids),
  allowedMentions: Option.map(Option.fromNullable(payload.allowed_mentions), mentionsToEntity),
  messageReference: Option.map(Option.fromNullable(payload.message_reference), referenceToEntity),
  flags: payload.flags,
  nonce: Option.fromNullable(payload.nonce),
  favoriteMemeId: Option.fromNullable(payload.favorite_meme_id)
})
