import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import { Schema } from "effect"
import { Int32, Moment, optionField } from "./WireType.ts"

/** A number of bytes that a JavaScript number has exactly, because messages are stored with it. */
const Size = integer("int64", { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

/** A file of a message. Missing values are left out. Source: API reference, Attachment. */
export const AttachmentResource = Schema.Struct({
  id: optionField(Schema.String, "Identifies the file."),
  filename: optionField(Schema.String, "The name of the file."),
  size: optionField(Size, "In bytes."),
  flags: optionField(Int32, "Properties of the file, a bit set."),
  title: optionField(Schema.String, "The title."),
  description: optionField(Schema.String, "What it shows, for those who cannot see it."),
  contentType: optionField(Schema.String, "The media type, such as `image/png`.", "content_type"),
  contentHash: optionField(Schema.String, "The hash of the content.", "content_hash"),
  url: optionField(Schema.String, "The address of the file."),
  proxyUrl: optionField(Schema.String, "The address of the platform's copy.", "proxy_url"),
  width: optionField(Int32, "In pixels."),
  height: optionField(Int32, "In pixels."),
  placeholder: optionField(Schema.String, "A tiny preview, as text."),
  nsfw: optionField(Schema.Boolean, "Whether the content is for adults only."),
  duration: optionField(Int32, "In seconds."),
  waveform: optionField(Schema.String, "The loudness of a voice message over time, as text."),
  expiresAt: optionField(Moment, "When the address stops working.", "expires_at"),
  expired: optionField(Schema.Boolean, "Whether the address stopped working.")
}).annotations({ identifier: "Attachment", description: "A file of a message." })
