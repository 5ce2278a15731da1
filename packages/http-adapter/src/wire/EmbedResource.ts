import type {
  ChildEmbed,
  Embed,
  EmbedField,
  EmbedFooter,
  EmbedMedia,
  EmbedSource
} from "@community-messaging/domain/message/Embed"
import { DateTime, Option, Schema } from "effect"
import { ForeignTimestamp, Int32, optional } from "./WireType.ts"

/** An image, video or audio of an embed. Source: API reference, Embed. */
export const EmbedMediaResource = Schema.Struct({
  url: optional(Schema.String, "The address of the file."),
  flags: optional(Int32, "Properties of the file, a bit set."),
  proxy_url: optional(Schema.String, "The address of the platform's copy."),
  content_type: optional(Schema.String, "The media type, such as `image/png`."),
  content_hash: optional(Schema.String, "The hash of the content."),
  width: optional(Int32, "In pixels."),
  height: optional(Int32, "In pixels."),
  description: optional(Schema.String, "What it shows, for those who cannot see it."),
  placeholder: optional(Schema.String, "A tiny preview, as text."),
  duration: optional(Int32, "In seconds.")
}).annotations({ identifier: "EmbedMedia", description: "An image, video or audio of an embed." })
export interface EmbedMediaResource extends Schema.Schema.Type<typeof EmbedMediaResource> {}

/** The author or the provider of the content of an embed. */
export const EmbedSourceResource = Schema.Struct({
  name: optional(Schema.String, "The name."),
  url: optional(Schema.String, "The page of the author or provider."),
  icon_url: optional(Schema.String, "The address of an icon."),
  proxy_icon_url: optional(Schema.String, "The address of the platform's copy of the icon.")
}).annotations({ identifier: "EmbedSource", description: "The author or the provider of the content of an embed." })
export interface EmbedSourceResource extends Schema.Schema.Type<typeof EmbedSourceResource> {}

/** The footer of an embed. */
export const EmbedFooterResource = Schema.Struct({
  text: optional(Schema.String, "The text."),
  icon_url: optional(Schema.String, "The address of an icon."),
  proxy_icon_url: optional(Schema.String, "The address of the platform's copy of the icon.")
}).annotations({ identifier: "EmbedFooter", description: "The footer of an embed." })
export interface EmbedFooterResource extends Schema.Schema.Type<typeof EmbedFooterResource> {}

/** A named value in an embed. */
export const EmbedFieldResource = Schema.Struct({
  name: optional(Schema.String, "The name of the value."),
  value: optional(Schema.String, "The value."),
  inline: optional(Schema.Boolean, "Whether it may be shown beside other fields.")
}).annotations({ identifier: "EmbedField", description: "A named value in an embed." })
export interface EmbedFieldResource extends Schema.Schema.Type<typeof EmbedFieldResource> {}

const fields = {
  type: optional(Schema.String, "The kind of embed; `rich` in messages of webhooks."),
  url: optional(Schema.String, "Where the title links to."),
  title: optional(Schema.String, "The title."),
  color: optional(Int32, "The colour of the edge, 24-bit RGB."),
  timestamp: optional(ForeignTimestamp, "The time that the content is about."),
  description: optional(Schema.String, "The text."),
  author: optional(EmbedSourceResource, "Who wrote the content."),
  image: optional(EmbedMediaResource, "A large image."),
  thumbnail: optional(EmbedMediaResource, "A small image."),
  video: optional(EmbedMediaResource, "A video."),
  audio: optional(EmbedMediaResource, "An audio file."),
  footer: optional(EmbedFooterResource, "What is shown below."),
  fields: optional(Schema.Array(EmbedFieldResource), "Named values."),
  provider: optional(EmbedSourceResource, "Where the content is from."),
  nsfw: optional(Schema.Boolean, "Whether the content is for adults only.")
}

/** An embed inside an embed. It has no children. */
export const ChildEmbedResource = Schema.Struct(fields).annotations({
  identifier: "ChildEmbed",
  description: "An embed inside an embed."
})
export interface ChildEmbedResource extends Schema.Schema.Type<typeof ChildEmbedResource> {}

/** Rich content shown below a message's text. Missing values are left out. Source: API reference, Embed. */
export const EmbedResource = Schema.Struct({
  ...fields,
  children: optional(Schema.Array(ChildEmbedResource), "Embeds inside this one.")
}).annotations({ identifier: "Embed", description: "Rich content shown below a message's text." })
export interface EmbedResource extends Schema.Schema.Type<typeof EmbedResource> {}

const mediaFromEntity = (media: EmbedMedia): EmbedMediaResource => ({
  ...(Option.isSome(media.url) && { url: media.url.value }),
  ...(Option.isSome(media.flags) && { flags: media.flags.value }),
  ...(Option.isSome(media.proxyUrl) && { proxy_url: media.proxyUrl.value }),
  ...(Option.isSome(media.contentType) && { content_type: media.contentType.value }),
  ...(Option.isSome(media.contentHash) && { content_hash: media.contentHash.value }),
  ...(Option.isSome(media.width) && { width: media.width.value }),
  ...(Option.isSome(media.height) && { height: media.height.value }),
  ...(Option.isSome(media.description) && { description: media.description.value }),
  ...(Option.isSome(media.placeholder) && { placeholder: media.placeholder.value }),
  ...(Option.isSome(media.duration) && { duration: media.duration.value })
})

const mediaToEntity = (media: EmbedMediaResource): EmbedMedia => ({
  url: Option.fromNullable(media.url),
  flags: Option.fromNullable(media.flags),
  proxyUrl: Option.fromNullable(media.proxy_url),
  contentType: Option.fromNullable(media.content_type),
  contentHash: Option.fromNullable(media.content_hash),
  width: Option.fromNullable(media.width),
  height: Option.fromNullable(media.height),
  description: Option.fromNullable(media.description),
  placeholder: Option.fromNullable(media.placeholder),
  duration: Option.fromNullable(media.duration)
})

const sourceFromEntity = (source: typeof EmbedSource.Type): EmbedSourceResource => ({
  ...(Option.isSome(source.name) && { name: source.name.value }),
  ...(Option.isSome(source.url) && { url: source.url.value }),
  ...(Option.isSome(source.iconUrl) && { icon_url: source.iconUrl.value }),
  ...(Option.isSome(source.proxyIconUrl) && { proxy_icon_url: source.proxyIconUrl.value })
})

const sourceToEntity = (source: EmbedSourceResource): typeof EmbedSource.Type => ({
  name: Option.fromNullable(source.name),
  url: Option.fromNullable(source.url),
  iconUrl: Option.fromNullable(source.icon_url),
  proxyIconUrl: Option.fromNullable(source.proxy_icon_url)
})

const footerFromEntity = (footer: typeof EmbedFooter.Type): EmbedFooterResource => ({
  ...(Option.isSome(footer.text) && { text: footer.text.value }),
  ...(Option.isSome(footer.iconUrl) && { icon_url: footer.iconUrl.value }),
  ...(Option.isSome(footer.proxyIconUrl) && { proxy_icon_url: footer.proxyIconUrl.value })
})

const footerToEntity = (footer: EmbedFooterResource): typeof EmbedFooter.Type => ({
  text: Option.fromNullable(footer.text),
  iconUrl: Option.fromNullable(footer.icon_url),
  proxyIconUrl: Option.fromNullable(footer.proxy_icon_url)
})

const fieldFromEntity = (field: typeof EmbedField.Type): EmbedFieldResource => ({
  ...(Option.isSome(field.name) && { name: field.name.value }),
  ...(Option.isSome(field.value) && { value: field.value.value }),
  ...(Option.isSome(field.inline) && { inline: field.inline.value })
})

const fieldToEntity = (field: EmbedFieldResource): typeof EmbedField.Type => ({
  name: Option.fromNullable(field.name),
  value: Option.fromNullable(field.value),
  inline: Option.fromNullable(field.inline)
})

const childFromEntity = (embed: ChildEmbed): ChildEmbedResource => ({
  ...(Option.isSome(embed.type) && { type: embed.type.value }),
  ...(Option.isSome(embed.url) && { url: embed.url.value }),
  ...(Option.isSome(embed.title) && { title: embed.title.value }),
  ...(Option.isSome(embed.color) && { color: embed.color.value }),
  ...(Option.isSome(embed.timestamp) && { timestamp: DateTime.formatIso(embed.timestamp.value) }),
  ...(Option.isSome(embed.description) && { description: embed.description.value }),
  ...(Option.isSome(embed.author) && { author: sourceFromEntity(embed.author.value) }),
  ...(Option.isSome(embed.image) && { image: mediaFromEntity(embed.image.value) }),
  ...(Option.isSome(embed.thumbnail) && { thumbnail: mediaFromEntity(embed.thumbnail.value) }),
  ...(Option.isSome(embed.video) && { video: mediaFromEntity(embed.video.value) }),
  ...(Option.isSome(embed.audio) && { audio: mediaFromEntity(embed.audio.value) }),
  ...(Option.isSome(embed.footer) && { footer: footerFromEntity(embed.footer.value) }),
  ...(Option.isSome(embed.fields) && { fields: embed.fields.value.map(fieldFromEntity) }),
  ...(Option.isSome(embed.provider) && { provider: sourceFromEntity(embed.provider.value) }),
  ...(Option.isSome(embed.nsfw) && { nsfw: embed.nsfw.value })
})

const childToEntity = (embed: ChildEmbedResource): ChildEmbed => ({
  type: Option.fromNullable(embed.type),
  url: Option.fromNullable(embed.url),
  title: Option.fromNullable(embed.title),
  color: Option.fromNullable(embed.color),
  timestamp: Option.flatMap(Option.fromNullable(embed.timestamp), DateTime.make),
  description: Option.fromNullable(embed.description),
  author: Option.map(Option.fromNullable(embed.author), sourceToEntity),
  image: Option.map(Option.fromNullable(embed.image), mediaToEntity),
  thumbnail: Option.map(Option.fromNullable(embed.thumbnail), mediaToEntity),
  video: Option.map(Option.fromNullable(embed.video), mediaToEntity),
  audio: Option.map(Option.fromNullable(embed.audio), mediaToEntity),
  footer: Option.map(Option.fromNullable(embed.footer), footerToEntity),
  fields: Option.map(Option.fromNullable(embed.fields), (all) => all.map(fieldToEntity)),
  provider: Option.map(Option.fromNullable(embed.provider), sourceToEntity),
  nsfw: Option.fromNullable(embed.nsfw)
})

/** Converts an embed to its resource. */
export const fromEntity = (embed: Embed): EmbedResource => ({
  ...childFromEntity(embed),
  ...(Option.isSome(embed.children) && { children: embed.children.value.map(childFromEntity) })
})

/** Converts a decoded resource to an embed. */
export const toEntity = (embed: EmbedResource): Embed => ({
  ...childToEntity(embed),
  children: Option.map(Option.fromNullable(embed.children), (all) => all.map(childToEntity))
})
