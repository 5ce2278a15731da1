import { Int32 } from "@community-messaging/domain/shared-kernel/Int32"
import { Schema } from "effect"
import { Moment, optional, optionalNamed } from "./RecordField.ts"

const Media = Schema.Struct({
  url: optional(Schema.String),
  flags: optional(Int32),
  proxyUrl: optionalNamed("proxy_url", Schema.String),
  contentType: optionalNamed("content_type", Schema.String),
  contentHash: optionalNamed("content_hash", Schema.String),
  width: optional(Int32),
  height: optional(Int32),
  description: optional(Schema.String),
  placeholder: optional(Schema.String),
  duration: optional(Int32)
})

const Named = Schema.Struct({
  name: optional(Schema.String),
  url: optional(Schema.String),
  iconUrl: optionalNamed("icon_url", Schema.String),
  proxyIconUrl: optionalNamed("proxy_icon_url", Schema.String)
})

const Footer = Schema.Struct({
  text: optional(Schema.String),
  iconUrl: optionalNamed("icon_url", Schema.String),
  proxyIconUrl: optionalNamed("proxy_icon_url", Schema.String)
})

const Field = Schema.Struct({
  name: optional(Schema.String),
  value: optional(Schema.String),
  inline: optional(Schema.Boolean)
})

const embedFields = {
  type: optional(Schema.String),
  url: optional(Schema.String),
  title: optional(Schema.String),
  color: optional(Int32),
  timestamp: optional(Moment),
  description: optional(Schema.String),
  author: optional(Named),
  image: optional(Media),
  thumbnail: optional(Media),
  video: optional(Media),
  audio: optional(Media),
  footer: optional(Footer),
  fields: optional(Schema.Array(Field)),
  provider: optional(Named),
  nsfw: optional(Schema.Boolean)
}

/** An embed in a record. Source: API reference, Embed. */
export const EmbedRecord = Schema.Struct({
  ...embedFields,
  children: optional(Schema.Array(Schema.Struct(embedFields)))
})
