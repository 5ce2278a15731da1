import { Option } from "effect"
import { Embed, EmbedAuthor, type EmbedField, MAX_TITLE_LENGTH } from "../message/Embed.ts"
import { codePointLength } from "../shared-kernel/CodePointLength.ts"
import { EMPTY, join, label, type Markdown, markdown, unformatted } from "./Markdown.ts"
import * as WebUrl from "./WebUrl.ts"

/** The most characters of the name of an author. */
export const MAX_AUTHOR_NAME_LENGTH = 256

/** The most characters of the value of a field. */
export const MAX_FIELD_VALUE_LENGTH = 1024

/** The most characters that stand in brackets before a title. */
const MAX_PLACE_LENGTH = 144

/** A title, which may be a link as a whole: `[place] text`. Both are plain text, the place may be blank. */
export const title = (place: string, text: string): Markdown => {
  const shown = label(place, MAX_PLACE_LENGTH)
  if (shown === EMPTY) return label(text, MAX_TITLE_LENGTH)
  const before = markdown`[${shown}] `
  return join([before, label(text, MAX_TITLE_LENGTH - codePointLength(before))], "")
}

// An embed is made of these: `make` would validate each one anew, though its parts are right by the way they are made.
const BLANK_EMBED = Embed.make({})
const BLANK_AUTHOR = EmbedAuthor.make({})

const filled = <A extends string>(text: A): Option.Option<A> => text === "" ? Option.none() : Option.some(text)

/** Who did what an embed tells of, if there is a name. The URLs are taken as a third party gave them. */
export const author = (actor: {
  readonly name: string
  readonly url: Option.Option<string>
  readonly iconUrl: Option.Option<string>
}): Option.Option<typeof EmbedAuthor.Type> =>
  Option.map(filled(unformatted(actor.name, MAX_AUTHOR_NAME_LENGTH)), (name) => ({
    ...BLANK_AUTHOR,
    name: Option.some(name),
    url: Option.flatMap(actor.url, WebUrl.fromText),
    iconUrl: Option.flatMap(actor.iconUrl, WebUrl.fromText)
  }))

/** A field, one of several in a row when `inline`; none where it has no value. */
export const field = (
  name: string,
  value: Markdown,
  options: { readonly inline: boolean }
): ReadonlyArray<typeof EmbedField.Type> =>
  value === EMPTY
    ? []
    : [{ name: Option.some(name), value: Option.some(value), inline: Option.some(options.inline) }]

/** An embed of type `rich`; what is empty is left out. `colour` is 24-bit RGB. */
export const richEmbed = (content: {
  readonly title: Markdown
  readonly url: Option.Option<WebUrl.WebUrl>
  readonly colour: number
  readonly author: Option.Option<typeof EmbedAuthor.Type>
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
