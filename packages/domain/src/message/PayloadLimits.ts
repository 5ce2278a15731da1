import { Option } from "effect"
import { codePointLength } from "../shared-kernel/CodePointLength.ts"
import { type ChildEmbed, type Embed, MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from "./Embed.ts"
import type { MessagePayload } from "./MessagePayload.ts"

/** The maximum length of a message's content in characters. */
const MAX_CONTENT_LENGTH = 4000

/** The maximum number of embeds in a message, and of children in an embed. */
const MAX_EMBEDS = 10

/** The maximum number of fields in an embed. */
const MAX_EMBED_FIELDS = 25

/** The maximum number of attachments in a message. */
const MAX_ATTACHMENTS = 10

/** The maximum number of stickers in a message. */
const MAX_STICKERS = 3

const tooLong = (text: Option.Option<string>, maximum: number): boolean =>
  Option.exists(text, (value) => codePointLength(value) > maximum)

const moreThan = (items: Option.Option<ReadonlyArray<unknown>>, maximum: number): boolean =>
  Option.exists(items, (all) => all.length > maximum)

const isEmpty = (items: Option.Option<ReadonlyArray<unknown>>): boolean => !moreThan(items, 0)

const ownBreaksLimit = (embed: ChildEmbed): boolean =>
  tooLong(embed.title, MAX_TITLE_LENGTH) ||
  tooLong(embed.description, MAX_DESCRIPTION_LENGTH) ||
  moreThan(embed.fields, MAX_EMBED_FIELDS)

const embedBreaksLimit = (embed: Embed): boolean =>
  ownBreaksLimit(embed) ||
  moreThan(embed.children, MAX_EMBEDS) ||
  Option.exists(embed.children, (children) => children.some(ownBreaksLimit))

const isEmptyPayload = (payload: MessagePayload): boolean =>
  !Option.exists(payload.content, (content) => content.trim() !== "") &&
  isEmpty(payload.embeds) &&
  isEmpty(payload.attachments) &&
  isEmpty(payload.stickers) &&
  isEmpty(payload.stickerIds)

/** Returns why the payload cannot be posted, as a text for its author; none if it can. Source: API gaps, Scheduled messages. */
export const findLimitViolation = (payload: MessagePayload): Option.Option<string> => {
  if (isEmptyPayload(payload)) return Option.some("The message is empty.")
  if (tooLong(payload.content, MAX_CONTENT_LENGTH)) {
    return Option.some(`The content is longer than ${MAX_CONTENT_LENGTH} characters.`)
  }
  if (moreThan(payload.embeds, MAX_EMBEDS)) return Option.some(`The message has more than ${MAX_EMBEDS} embeds.`)
  if (Option.exists(payload.embeds, (embeds) => embeds.some(embedBreaksLimit))) {
    return Option.some(
      `An embed exceeds a limit: ${MAX_TITLE_LENGTH} characters of the title, ${MAX_DESCRIPTION_LENGTH} of the description, ` +
        `${MAX_EMBED_FIELDS} fields, ${MAX_EMBEDS} children.`
    )
  }
  if (moreThan(payload.attachments, MAX_ATTACHMENTS)) {
    return Option.some(`The message has more than ${MAX_ATTACHMENTS} attachments.`)
  }
  if (moreThan(payload.stickers, MAX_STICKERS) || moreThan(payload.stickerIds, MAX_STICKERS)) {
    return Option.some(`The message has more than ${MAX_STICKERS} stickers.`)
  }
  return Option.none()
}
