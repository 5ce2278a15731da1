import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { ChildEmbed, Embed, EmbedField } from "../../src/message/Embed.ts"
import { Attachment, MessagePayload, Sticker } from "../../src/message/MessagePayload.ts"
import { findLimitViolation } from "../../src/message/PayloadLimits.ts"

type Fields = Partial<MessagePayload>

const broken = (fields: Fields) =>
  findLimitViolation({ ...MessagePayload.make({ content: Option.some("Good morning") }), ...fields })

const many = <A>(count: number, item: A) => Option.some(Array.from({ length: count }, () => item))

const embed = (fields: Partial<Embed>): Embed => ({ ...Embed.make({ title: Option.some("Title") }), ...fields })

const withEmbed = (fields: Partial<Embed>): Fields => ({ embeds: Option.some([embed(fields)]) })

const tooLongAChild = ChildEmbed.make({ title: Option.some("x".repeat(257)) })

describe("a payload", () => {
  it.each<readonly [string, Fields]>([
    ["4000 characters of content", { content: Option.some("🦊".repeat(4000)) }],
    ["10 embeds", { embeds: many(10, embed({})) }],
    ["a title of 256 characters", withEmbed({ title: Option.some("🦊".repeat(256)) })],
    ["a description of 4096 characters", withEmbed({ description: Option.some("🦊".repeat(4096)) })],
    ["an embed of 25 fields", withEmbed({ fields: many(25, EmbedField.make({})) })],
    ["an embed of 10 embeds", withEmbed({ children: many(10, ChildEmbed.make({})) })],
    ["10 attachments", { attachments: many(10, Attachment.make({})) }],
    ["3 stickers", { stickers: many(3, Sticker.make({})) }],
    ["3 ids of stickers", { stickerIds: many(3, "1") }]
  ])("may have %s", (_, fields) => {
    expect(broken(fields)).toEqual(Option.none())
  })

  it.each<readonly [string, Fields, string]>([
    ["4001 characters of content", { content: Option.some("x".repeat(4001)) }, "longer than 4000 characters"],
    ["11 embeds", { embeds: many(11, embed({})) }, "more than 10 embeds"],
    ["a title of 257 characters", withEmbed({ title: Option.some("x".repeat(257)) }), "An embed"],
    ["a description of 4097 characters", withEmbed({ description: Option.some("x".repeat(4097)) }), "An embed"],
    ["an embed of 26 fields", withEmbed({ fields: many(26, EmbedField.make({})) }), "An embed"],
    ["an embed of 11 embeds", withEmbed({ children: many(11, ChildEmbed.make({})) }), "An embed"],
    [
      "a child with a title of 257 characters beside a valid one",
      withEmbed({ children: Option.some([ChildEmbed.make({}), tooLongAChild]) }),
      "An embed"
    ],
    [
      "an embed with a title of 257 characters beside a valid one",
      { embeds: Option.some([embed({}), embed({ title: Option.some("x".repeat(257)) })]) },
      "An embed"
    ],
    ["11 attachments", { attachments: many(11, Attachment.make({})) }, "more than 10 attachments"],
    ["4 stickers", { stickers: many(4, Sticker.make({})) }, "more than 3 stickers"],
    ["4 ids of stickers", { stickerIds: many(4, "1") }, "more than 3 stickers"]
  ])("cannot have %s", (_, fields, reason) => {
    expect(Option.getOrThrow(broken(fields))).toContain(reason)
  })

  it.each<readonly [string, Fields]>([
    ["an embed", withEmbed({})],
    ["an attachment", { attachments: many(1, Attachment.make({})) }],
    ["a sticker", { stickers: many(1, Sticker.make({})) }],
    ["the id of a sticker", { stickerIds: many(1, "1") }]
  ])("needs no content if it has %s", (_, fields) => {
    expect(broken({ content: Option.none(), ...fields })).toEqual(Option.none())
  })

  it.each<readonly [string, Fields]>([
    ["nothing", { content: Option.none() }],
    ["white space alone", { content: Option.some(" \n ") }],
    ["empty lists alone", {
      content: Option.none(),
      embeds: Option.some([]),
      attachments: Option.some([]),
      stickers: Option.some([]),
      stickerIds: Option.some([])
    }]
  ])("that has %s is empty", (_, fields) => {
    expect(broken(fields)).toEqual(Option.some("The message is empty."))
  })
})
