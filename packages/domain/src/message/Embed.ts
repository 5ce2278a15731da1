import { Schema } from "effect"
import { Int32 } from "../shared-kernel/Integer.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"

/** An image, video or audio of an embed. Source: API reference, Embed. */
export const EmbedMedia = Schema.Struct({
  url: optionalField(Schema.String),
  flags: optionalField(Int32),
  proxyUrl: optionalField(Schema.String),
  contentType: optionalField(Schema.String),
  contentHash: optionalField(Schema.String),
  width: optionalField(Int32),
  height: optionalField(Int32),
  description: optionalField(Schema.String),
  placeholder: optionalField(Schema.String),
  duration: optionalField(Int32)
}).annotations({ identifier: "EmbedMedia" })
export interface EmbedMedia extends Schema.Schema.Type<typeof EmbedMedia> {}

/** The author or the provider of the content that an embed shows. */
export const EmbedSource = Schema.Struct({
  name: optionalField(Schema.String),
  url: optionalField(Schema.String),
  iconUrl: optionalField(Schema.String),
  proxyIconUrl: optionalField(Schema.String)
}).annotations({ identifier: "EmbedSource" })

/** The footer of an embed. */
export const EmbedFooter = Schema.Struct({
  text: optionalField(Schema.String),
  iconUrl: optionalField(Schema.String),
  proxyIconUrl: optionalField(Schema.String)
}).annotations({ identifier: "EmbedFooter" })

/** A named value in an embed. */
export const EmbedField = Schema.Struct({
  name: optionalField(Schema.String),
  value: optionalField(Schema.String),
  inline: optionalField(Schema.Boolean)
}).annotations({ identifier: "EmbedField" })

const embedFields = {
  type: optionalField(Schema.String),
  url: optionalField(Schema.String),
  title: optionalField(Schema.String),
  /** 24-bit RGB. Other values are stored unchanged. */
  color: optionalField(Int32),
  timestamp: optionalField(Schema.DateTimeUtc),
  description: optionalField(Schema.String),
  author: optionalField(EmbedSource),
  image: optionalField(EmbedMedia),
  thumbnail: optionalField(EmbedMedia),
  video: optionalField(EmbedMedia),
  audio: optionalField(EmbedMedia),
  footer: optionalField(EmbedFooter),
  fields: optionalField(Schema.Array(EmbedField)),
  provider: optionalField(EmbedSource),
  nsfw: optionalField(Schema.Boolean)
}

/** An embed inside an embed. It has no children. */
export const ChildEmbed = Schema.Struct(embedFields).annotations({ identifier: "ChildEmbed" })
export interface ChildEmbed extends Schema.Schema.Type<typeof ChildEmbed> {}

/** Rich content shown below a message's text. Source: API reference, Embed. */
export const Embed = Schema.Struct({
  ...embedFields,
  children: optionalField(Schema.Array(ChildEmbed))
}).annotations({ identifier: "Embed" })
export interface Embed extends Schema.Schema.Type<typeof Embed> {}

/** The maximum length of a title in characters. Source: API gaps, Scheduled messages. */
export const MAX_TITLE_LENGTH = 256

/** The maximum length of a description in characters. Source: API gaps, Scheduled messages. */
export const MAX_DESCRIPTION_LENGTH = 4096
