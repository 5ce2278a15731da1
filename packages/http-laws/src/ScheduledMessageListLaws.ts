import {
  ChildEmbed,
  Embed,
  EmbedAuthor,
  EmbedField,
  EmbedFooter,
  EmbedMedia,
  EmbedProvider
} from "@community-messaging/domain/message/Embed"
import {
  AllowedMentions,
  Attachment,
  MessagePayload,
  MessageReference,
  Sticker
} from "@community-messaging/domain/message/MessagePayload"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { layer } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import { expect } from "vitest"
import { at } from "./At.ts"
import { type Answer, send } from "./Exchange.ts"
import { expectError, expectViolations } from "./Expect.ts"
import * as Given from "./Given.ts"
import type { Tested } from "./ServedApi.ts"

const PATH = "/v1/users/@me/scheduled-messages"

const idsOf = (answer: Answer): ReadonlyArray<unknown> =>
  Array.isArray(answer.json) ? answer.json.map((message: unknown) => at(message, "id")) : []

const moment = DateTime.unsafeMake("2030-01-02T03:04:05.678Z")
const iso = "2030-01-02T03:04:05.678Z"

/** A bot with a message in every status, the later ones scheduled for later. */
const botWithMessages = Effect.gen(function*() {
  const author = yield* Given.bot
  const inStatus = (status: ScheduledMessageStatus, minutes: number) =>
    Given.scheduledMessage(author.user.id, { status, scheduledAt: DateTime.add(moment, { minutes }) })
  const failed = yield* inStatus("failed", 5)
  const invalid = yield* inStatus("invalid", 4)
  const scheduled = yield* inStatus("scheduled", 3)
  const pending = yield* inStatus("pending", 2)
  const cancelled = yield* inStatus("cancelled", 1)
  const sent = yield* inStatus("sent", 0)
  const list = (query: string) => send(`${PATH}${query}`, { bot: author.token })
  return { author, failed, invalid, scheduled, pending, cancelled, sent, list }
})

/** Endpoint 2. */
export const scheduledMessageListLaws = <E>(served: Layer.Layer<Tested, E>): void =>
  layer(served, { excludeTestServices: true })("GET /v1/users/@me/scheduled-messages", (it) => {
    it.effect("lists what was not delivered yet, soonest first", () =>
      Effect.gen(function*() {
        const { failed, invalid, list, pending, scheduled } = yield* botWithMessages
        expect(idsOf(yield* list(""))).toEqual([pending.id, scheduled.id, invalid.id, failed.id])
      }))

    it.effect("lists messages in a status, newest first", () =>
      Effect.gen(function*() {
        const { cancelled, list, sent } = yield* botWithMessages
        expect(idsOf(yield* list("?status=sent"))).toEqual([sent.id])
        expect(idsOf(yield* list("?status=sent&status=cancelled"))).toEqual([cancelled.id, sent.id])
      }))

    it.effect("lists nothing to an account that has none", () =>
      Effect.gen(function*() {
        yield* botWithMessages
        const { token } = yield* Given.bot
        expect(yield* send(PATH, { bot: token })).toMatchObject({ status: 200, json: [] })
      }))

    it.effect("is found by a path with an encoded @", () =>
      Effect.gen(function*() {
        const { token } = yield* Given.bot
        expect((yield* send(PATH.replace("@", "%40"), { bot: token })).status).toBe(200)
      }))

    it.effect("answers all fields of the reference, null where there is no value", () =>
      Effect.gen(function*() {
        const { token, user } = yield* Given.bot
        const message = yield* Given.scheduledMessage(user.id, { scheduledAt: moment, createdAt: moment })
        expect((yield* send(PATH, { bot: token })).json).toEqual([{
          id: message.id,
          channel_id: message.channelId,
          scheduled_at: iso,
          scheduled_local_at: "2027-03-28T09:30:00",
          timezone: "Europe/Berlin",
          status: "pending",
          status_reason: null,
          payload: { content: "hello", flags: 0 },
          created_at: iso,
          invalidated_at: null
        }])
      }))

    it.effect("tells why and when a message became invalid", () =>
      Effect.gen(function*() {
        const { token, user } = yield* Given.bot
        yield* Given.scheduledMessage(user.id, {
          status: "invalid",
          statusReason: Option.some("The channel is gone."),
          invalidatedAt: Option.some(moment)
        })
        expect((yield* send(PATH, { bot: token })).json).toMatchObject([
          { status: "invalid", status_reason: "The channel is gone.", invalidated_at: iso }
        ])
      }))

    it.effect("answers a payload with null for no content and without other absent members", () =>
      Effect.gen(function*() {
        const { token, user } = yield* Given.bot
        yield* Given.scheduledMessage(user.id, { payload: MessagePayload.make({}) })
        expect(at((yield* send(PATH, { bot: token })).json, 0, "payload")).toEqual({ content: null, flags: 0 })
      }))

    it.effect("answers every member of a payload by its name in the reference", () =>
      Effect.gen(function*() {
        const { token, user } = yield* Given.bot
        yield* Given.scheduledMessage(user.id, { payload: fullPayload })
        expect((yield* send(PATH, { bot: token })).json).toMatchObject([{ payload: fullPayloadJson }])
      }))

    it.effect.each(["?status=lost", "?status=", "?status", "?status=Sent"])(
      "refuses the status of %s",
      (query) =>
        Effect.gen(function*() {
          const { list } = yield* botWithMessages
          expectViolations(yield* list(query), "status: INVALID_ENUM_VALUE")
        })
    )

    it.effect("tells every status that it does not know", () =>
      Effect.gen(function*() {
        const { list } = yield* botWithMessages
        expectViolations(
          yield* list("?status=lost&status=sent&status=found"),
          "status: INVALID_ENUM_VALUE",
          "status: INVALID_ENUM_VALUE"
        )
      }))

    it.effect("ignores parameters that it does not know, and a body", () =>
      Effect.gen(function*() {
        const { list } = yield* botWithMessages
        expect((yield* list("?limit=1&__proto__=x&%ff=%ff")).status).toBe(200)
      }))

    it.effect("checks credentials before parameters", () =>
      Effect.gen(function*() {
        expectError(yield* send(`${PATH}?status=lost`), 401, "UNAUTHORIZED")
      }))
  })

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
  author: Option.some(EmbedAuthor.make(source)),
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
  provider: Option.some(EmbedProvider.make(source)),
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

/** A payload that has everything. */
const fullPayload = MessagePayload.make({
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

const fullPayloadJson = {
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
