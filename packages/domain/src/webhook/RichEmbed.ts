import { Option } from "effect"
import { Embed, type EmbedField, EmbedSource, MAX_TITLE_LENGTH } from "../message/Embed.ts"
import { codePointLength } from "../shared-kernel/CodePointLength.ts"
import { EMPTY, join, line, type Markdown, markdown, unformatted } from "./Markdown.ts"
import type { Text } from "./NotificationField.ts"
import * as WebUrl from "./WebUrl.ts"

/** The maximum length of an author's name in characters. */
const MAX_AUTHOR_NAME_LENGTH = 256

/** The maximum length of a field's value in characters. */
export const MAX_FIELD_VALUE_LENGTH = 1024

/** The maximum length of the text in brackets before a title, in characters. */
const MAX_PLACE_LENGTH = 144

/**
 * Renders the title `[place] text`, which can be the text of a link. Both are plain text, `place` may be
 * blank.
 */
export const title = (place: string, text: string): Markdown => {
  const shown = line(place, MAX_PLACE_LENGTH)
  if (shown === EMPTY) return line(text, MAX_TITLE_LENGTH)
  const before = markdown`[${shown}] `
  return join([before, line(text, MAX_TITLE_LENGTH - codePointLength(before))], "")
}

// Embeds are copies of these. `make` would validate each embed again, although its parts are valid by construction.
const BLANK_EMBED = Embed.make({})
const BLANK_AUTHOR = EmbedSource.make({})

const filled = <A extends string>(text: A): Option.Option<A> => text === "" ? Option.none() : Option.some(text)

/**
 * Returns the author of an embed, the account that caused the event; none without a name. The URLs are third-party
 * text.
 */
export const author = (actor: {
  readonly name: Text
  readonly url?: Text
  readonly iconUrl?: Text
}): Option.Option<typeof EmbedSource.Type> =>
  Option.map(filled(unformatted(actor.name ?? "", MAX_AUTHOR_NAME_LENGTH)), (name) => ({
    ...BLANK_AUTHOR,
    name: Option.some(name),
    url: WebUrl.fromText(actor.url),
    iconUrl: WebUrl.fromText(actor.iconUrl)
  }))

/** Returns a list of one field, or an empty list if it has no value. `inline` fields share a row. */
export const field = (
  name: string,
  value: Markdown,
  options: { readonly inline: boolean }
): ReadonlyArray<typeof EmbedField.Type> =>
  value === EMPTY
    ? []
    : [{ name: Option.some(name), value: Option.some(value), inline: Option.some(options.inline) }]

/** Returns an embed of type `rich` without its empty fields. `colour` is 24-bit RGB. */
export const richEmbed = (content: {
  readonly title: Markdown
  readonly url: Option.Option<WebUrl.WebUrl>
  readonly colour: number
  readonly author: Option.Option<typeof EmbedSource.Type>
  readonly description: Markdown
  readonly fields: ReadonlyArray<typeof EmbedField.Type>
}): Embed => ({
  ...BLANK_EMBED,
  type: Option.some("rich"),
  title: Option.some(content.title),
  url: content.url,
  color: Option.some(content.colour),
  author: content.author,
  description: filled(content.description),
  fields: content.fields.length === 0 ? Option.none() : Option.some(content.fields)
})
