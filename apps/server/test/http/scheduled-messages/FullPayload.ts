import {
  ChildEmbed,
  Embed,
  EmbedField,
  EmbedFooter,
  EmbedMedia,
  EmbedSource
} from "@community-messaging/domain/message/Embed"
import {
  AllowedMentions,
  Attachment,
  MessagePayload,
  MessageReference,
  Sticker
} from "@community-messaging/domain/message/MessagePayload"
import { DateTime, Option } from "effect"

const iso = "2030-01-02T03:04:05.678Z"

const moment = DateTime.unsafeMake(iso)

const media = EmbedMedia.make({
  url: Option.some("https://a.example/1"),
  flags: Option.some(1),
  proxyUrl: Option.some("https://p.example/1"),
  contentType: Option.some("image/png"),
  contentHash: Option.some("h"),
  width: Option.some(2),
  height: Option.some(3),
  description: Option.some("d"),
  placeholder: Option.some("p"),
  duration: Option.some(4)
})

const mediaJson = {
  url: "https://a.example/1",
  flags: 1,
  proxy_url: "https://p.example/1",
  content_type: "image/png",
  content_hash: "h",
  width: 2,
  height: 3,
  description: "d",
  placeholder: "p",
  duration: 4
}

const source = {
  name: Option.some("n"),
  url: Option.some("u"),
  iconUrl: Option.some("i"),
  proxyIconUrl: Option.some("pi")
}

const sourceJson = { name: "n", url: "u", icon_url: "i", proxy_icon_url: "pi" }

const childFields = {
  type: Option.some("rich"),
  url: Option.some("https://e.example"),
  title: Option.some("t"),
  color: Option.some(0xffffff),
  timestamp: Option.some(moment),
  description: Option.some("d"),
  author: Option.some(EmbedSource.make(source)),
  image: Option.some(media),
  thumbnail: Option.some(media),
  video: Option.some(media),
  audio: Option.some(media),
  footer: Option.some(
    EmbedFooter.make({ text: Option.some("f"), iconUrl: Option.some("i"), proxyIconUrl: Option.some("pi") })
  ),
  fields: Option.some([
    EmbedField.make({ name: Option.some("n"), value: Option.some("v"), inline: Option.some(true) })
  ]),
  provider: Option.some(EmbedSource.make(source)),
  nsfw: Option.some(false)
}

const childJson = {
  type: "rich",
  url: "https://e.example",
  title: "t",
  color: 0xffffff,
  timestamp: iso,
  description: "d",
  author: sourceJson,
  image: mediaJson,
  thumbnail: mediaJson,
  video: mediaJson,
  audio: mediaJson,
  footer: { text: "f", icon_url: "i", proxy_icon_url: "pi" },
  fields: [{ name: "n", value: "v", inline: true }],
  provider: sourceJson,
  nsfw: false
}

/** A payload with all fields. */
export const fullPayload = MessagePayload.make({
  content: Option.some("c"),
  tts: Option.some(true),
  embeds: Option.some([Embed.make({ ...childFields, children: Option.some([ChildEmbed.make(childFields)]) })]),
  attachments: Option.some([Attachment.make({
    id: Option.some("1"),
    filename: Option.some("f.png"),
    size: Option.some(5_000_000_000),
    flags: Option.some(0),
    title: Option.some("t"),
    description: Option.some("d"),
    contentType: Option.some("image/png"),
    contentHash: Option.some("h"),
    url: Option.some("u"),
    proxyUrl: Option.some("p"),
    width: Option.some(1),
    height: Option.some(2),
    placeholder: Option.some("p"),
    nsfw: Option.some(true),
    duration: Option.some(3),
    waveform: Option.some("w"),
    expiresAt: Option.some(moment),
    expired: Option.some(false)
  })]),
  stickers: Option.some([Sticker.make({ id: Option.some("1"), name: Option.some("s"), animated: Option.some(true) })]),
  stickerIds: Option.some(["1"]),
  allowedMentions: Option.some(AllowedMentions.make({
    parse: Option.some(["users"]),
    users: Option.some(["1"]),
    roles: Option.some(["2"]),
    repliedUser: Option.some(true)
  })),
  messageReference: Option.some(MessageReference.make({
    messageId: Option.some("1"),
    channelId: Option.some("2"),
    guildId: Option.some("3"),
    type: Option.some(0)
  })),
  flags: 4,
  nonce: Option.some("n"),
  favoriteMemeId: Option.some("9")
})

/** The same, with the names of the reference. */
export const fullPayloadJson = {
  content: "c",
  tts: true,
  embeds: [{ ...childJson, children: [childJson] }],
  attachments: [{
    id: "1",
    filename: "f.png",
    size: 5_000_000_000,
    flags: 0,
    title: "t",
    description: "d",
    content_type: "image/png",
    content_hash: "h",
    url: "u",
    proxy_url: "p",
    width: 1,
    height: 2,
    placeholder: "p",
    nsfw: true,
    duration: 3,
    waveform: "w",
    expires_at: iso,
    expired: false
  }],
  stickers: [{ id: "1", name: "s", animated: true }],
  sticker_ids: ["1"],
  allowed_mentions: { parse: ["users"], users: ["1"], roles: ["2"], replied_user: true },
  message_reference: { message_id: "1", channel_id: "2", guild_id: "3", type: 0 },
  flags: 4,
  nonce: "n",
  favorite_meme_id: "9"
}
