import type { Attachment } from "@community-messaging/domain/message/MessagePayload"
import { DateTime, Option, Schema } from "effect"
import { ForeignTimestamp, Int32, Int64, optional } from "./WireType.ts"

/** A file of a message. Missing values are left out. Source: API reference, Attachment. */
export const AttachmentResource = Schema.Struct({
  id: optional(Schema.String, "Identifies the file."),
  filename: optional(Schema.String, "The name of the file."),
  size: optional(Int64, "In bytes."),
  flags: optional(Int32, "Properties of the file, a bit set."),
  title: optional(Schema.String, "The title."),
  description: optional(Schema.String, "What it shows, for those who cannot see it."),
  content_type: optional(Schema.String, "The media type, such as `image/png`."),
  content_hash: optional(Schema.String, "The hash of the content."),
  url: optional(Schema.String, "The address of the file."),
  proxy_url: optional(Schema.String, "The address of the platform's copy."),
  width: optional(Int32, "In pixels."),
  height: optional(Int32, "In pixels."),
  placeholder: optional(Schema.String, "A tiny preview, as text."),
  nsfw: optional(Schema.Boolean, "Whether the content is for adults only."),
  duration: optional(Int32, "In seconds."),
  waveform: optional(Schema.String, "The loudness of a voice message over time, as text."),
  expires_at: optional(ForeignTimestamp, "When the address stops working."),
  expired: optional(Schema.Boolean, "Whether the address stopped working.")
}).annotations({ identifier: "Attachment", description: "A file of a message." })
export interface AttachmentResource extends Schema.Schema.Type<typeof AttachmentResource> {}

/** Converts an attachment to its resource. */
export const fromEntity = (attachment: Attachment): AttachmentResource => ({
  ...(Option.isSome(attachment.id) && { id: attachment.id.value }),
  ...(Option.isSome(attachment.filename) && { filename: attachment.filename.value }),
  ...(Option.isSome(attachment.size) && { size: attachment.size.value }),
  ...(Option.isSome(attachment.flags) && { flags: attachment.flags.value }),
  ...(Option.isSome(attachment.title) && { title: attachment.title.value }),
  ...(Option.isSome(attachment.description) && { description: attachment.description.value }),
  ...(Option.isSome(attachment.contentType) && { content_type: attachment.contentType.value }),
  ...(Option.isSome(attachment.contentHash) && { content_hash: attachment.contentHash.value }),
  ...(Option.isSome(attachment.url) && { url: attachment.url.value }),
  ...(Option.isSome(attachment.proxyUrl) && { proxy_url: attachment.proxyUrl.value }),
  ...(Option.isSome(attachment.width) && { width: attachment.width.value }),
  ...(Option.isSome(attachment.height) && { height: attachment.height.value }),
  ...(Option.isSome(attachment.placeholder) && { placeholder: attachment.placeholder.value }),
  ...(Option.isSome(attachment.nsfw) && { nsfw: attachment.nsfw.value }),
  ...(Option.isSome(attachment.duration) && { duration: attachment.duration.value }),
  ...(Option.isSome(attachment.waveform) && { waveform: attachment.waveform.value }),
  ...(Option.isSome(attachment.expiresAt) && { expires_at: DateTime.formatIso(attachment.expiresAt.value) }),
  ...(Option.isSome(attachment.expired) && { expired: attachment.expired.value })
})

/** Converts a decoded resource to an attachment. */
export const toEntity = (attachment: AttachmentResource): Attachment => ({
  id: Option.fromNullable(attachment.id),
  filename: Option.fromNullable(attachment.filename),
  size: Option.fromNullable(attachment.size),
  flags: Option.fromNullable(attachment.flags),
  title: Option.fromNullable(attachment.title),
  description: Option.fromNullable(attachment.description),
  contentType: Option.fromNullable(attachment.content_type),
  contentHash: Option.fromNullable(attachment.content_hash),
  url: Option.fromNullable(attachment.url),
  proxyUrl: Option.fromNullable(attachment.proxy_url),
  width: Option.fromNullable(attachment.width),
  height: Option.fromNullable(attachment.height),
  placeholder: Option.fromNullable(attachment.placeholder),
  nsfw: Option.fromNullable(attachment.nsfw),
  duration: Option.fromNullable(attachment.duration),
  waveform: Option.fromNullable(attachment.waveform),
  expiresAt: Option.flatMap(Option.fromNullable(attachment.expires_at), DateTime.make),
  expired: Option.fromNullable(attachment.expired)
})
