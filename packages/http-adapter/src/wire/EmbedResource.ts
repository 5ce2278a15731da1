import { Schema } from "effect"
import { Int32, Moment, optionField } from "./WireType.ts"

/** An image, video or audio of an embed. Source: API reference, Embed. */
export const EmbedMediaResource = Schema.Struct({
  url: optionField(Schema.String, "The address of the file."),
  flags: optionField(Int32, "Properties of the file, a bit set."),
  proxyUrl: optionField(Schema.String, "The address of the platform's copy.", "proxy_url"),
  contentType: optionField(Schema.String, "The media type, such as `image/png`.", "content_type"),
  contentHash: optionField(Schema.String, "The hash of the content.", "content_hash"),
  width: optionField(Int32, "In pixels."),
  height: optionField(Int32, "In pixels."),
  description: optionField(Schema.String, "What it shows, for those who cannot see it."),
  placeholder: optionField(Schema.String, "A tiny preview, as text."),
  duration: optionField(Int32, "In seconds.")
}).annotations({ identifier: "EmbedMedia", description: "An image, video or audio of an embed." })

/** The author or the provider of the content of an embed. */
export const EmbedSourceResource = Schema.Struct({
  name: optionField(Schema.String, "The name."),
  url: optionField(Schema.String, "The page of the author or provider."),
  iconUrl: optionField(Schema.String, "The address of an icon.", "icon_url"),
  proxyIconUrl: optionField(Schema.String, "The address of the platform's copy of the icon.", "proxy_icon_url")
}).annotations({ identifier: "EmbedSource", description: "The author or the provider of the content of an embed." })

/** The footer of an embed. */
export const EmbedFooterResource = Schema.Struct({
  text: optionField(Schema.String, "The text."),
  iconUrl: optionField(Schema.String, "The address of an icon.", "icon_url"),
  proxyIconUrl: optionField(Schema.String, "The address of the platform's copy of the icon.", "proxy_icon_url")
}).annotations({ identifier: "EmbedFooter", description: "The footer of an embed." })

/** A named value in an embed. */
export const EmbedFieldResource = Schema.Struct({
  name: optionField(Schema.String, "The name of the value."),
  value: optionField(Schema.String, "The value."),
  inline: optionField(Schema.Boolean, "Whether it may be shown beside other fields.")
}).annotations({ identifier: "EmbedField", description: "A named value in an embed." })

const fields = {
  type: optionField(Schema.String, "The kind of embed; `rich` in messages of webhooks."),
  url: optionField(Schema.String, "Where the title links to."),
  title: optionField(Schema.String, "The title."),
  color: optionField(Int32, "The colour of the edge, 24-bit RGB. Other values are returned unchanged."),
  timestamp: optionField(Moment, "The time that the content is about."),
  description: optionField(Schema.String, "The text."),
  author: optionField(EmbedSourceResource, "Who wrote the content."),
  image: optionField(EmbedMediaResource, "A large image."),
  thumbnail: optionField(EmbedMediaResource, "A small image."),
  video: optionField(EmbedMediaResource, "A video."),
  audio: optionField(EmbedMediaResource, "An audio file."),
  footer: optionField(EmbedFooterResource, "What is shown below."),
  fields: optionField(Schema.Array(EmbedFieldResource), "Named values."),
  provider: optionField(EmbedSourceResource, "Where the content is from."),
  nsfw: optionField(Schema.Boolean, "Whether the content is for adults only.")
}

/** An embed inside an embed. It has no children. */
export const ChildEmbedResource = Schema.Struct(fields).annotations({
  identifier: "ChildEmbed",
  description: "An embed inside an embed."
})

/** Rich content shown below a message's text. Missing values are left out. Source: API reference, Embed. */
export const EmbedResource = Schema.Struct({
  ...fields,
  children: optionField(Schema.Array(ChildEmbedResource), "Embeds inside this one.")
}).annotations({ identifier: "Embed", description: "Rich content shown below a message's text." })
