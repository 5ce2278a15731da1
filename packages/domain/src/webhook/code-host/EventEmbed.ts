import { Option } from "effect"
import type { Embed, EmbedField } from "../../message/Embed.ts"
import * as BodyRenderer from "../body/BodyRenderer.ts"
import { code, EMPTY, link, type Markdown } from "../Markdown.ts"
import * as RichEmbed from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import type { Notification, Subject } from "./Notification.ts"

/** The content of an embed about an event. Texts and URLs are plain third-party text. */
export interface EventContent {
  readonly title: string
  readonly url: Option.Option<string>
  readonly colour: number
  /** The text in brackets before the title; the default is the repository with its owner. */
  readonly place?: string
  readonly description?: Markdown
  readonly fields?: ReadonlyArray<typeof EmbedField.Type>
}

/** Returns the trimmed text; empty if there is none. */
export const textOf = (text: Option.Option<string>): string => Option.getOrElse(text, () => "").trim()

/** Returns the first text that is not blank; empty if all are. */
export const firstNonBlank = (...texts: ReadonlyArray<Option.Option<string>>): string =>
  texts.map(textOf).find((text) => text !== "") ?? ""

/** Returns whether the action is `created`. Hosts may omit the action if it is the only possible one. */
export const isCreation = ({ action }: Notification): boolean => ["created", ""].includes(textOf(action))

/** Returns the repository's name with its owner; empty if unknown. */
export const repositoryName = ({ repository }: Notification): string =>
  firstNonBlank(Option.flatMap(repository, (_) => _.fullName), Option.flatMap(repository, (_) => _.name))

/** Renders the embed with the sender, the repository and the content. */
export const renderEmbed = (notification: Notification, content: EventContent): Embed =>
  RichEmbed.richEmbed({
    title: RichEmbed.title(content.place ?? repositoryName(notification), content.title),
    url: Option.flatMap(content.url, WebUrl.fromText),
    colour: content.colour,
    author: RichEmbed.author({
      name: notification.sender.login,
      url: notification.sender.url,
      iconUrl: notification.sender.avatarUrl
    }),
    description: content.description ?? EMPTY,
    fields: content.fields ?? []
  })

/** Renders the body of an issue, comment or the like as a description. The rest of it is on the page `url`. */
export const renderBody = ({ body, url }: Pick<Subject, "body" | "url">): Markdown =>
  BodyRenderer.renderBody(textOf(body), Option.flatMap(url, WebUrl.fromText))

/** Joins the parts that are not empty: `Issue opened: #1 Title`. */
export const heading = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(": ")

/** Returns `#1`; empty if there is no number. */
export const numberOf = ({ number }: Subject): string =>
  Option.match(number, { onNone: () => "", onSome: (it) => `#${it}` })

/** Returns `#1 Title`. */
export const reference = (subject: Subject): string => `${numberOf(subject)} ${textOf(subject.title)}`.trim()

/** Returns a title about a subject: `New comment on issue #1: Title`. */
export const headingAbout = (what: string, subject: Option.Option<Subject>): string =>
  Option.match(subject, {
    onNone: () => what,
    onSome: (it) => heading(`${what} ${numberOf(it)}`.trim(), textOf(it.title))
  })

/** Returns the first seven digits of a commit id; empty if it is not a commit id. */
export const shortHash = (commitId: Option.Option<string>): string =>
  /^[0-9a-f]{7}(?=[0-9a-f]*$)/i.exec(textOf(commitId))?.[0] ?? ""

/** Returns the URL of a page of the repository. */
export const repositoryPage = ({ repository }: Notification, path: string): Option.Option<WebUrl.WebUrl> =>
  repository.pipe(
    Option.flatMap((_) => _.url),
    Option.flatMap(WebUrl.fromText),
    Option.flatMap((url) => path === "" ? Option.some(url) : WebUrl.appendPath(url, path))
  )

/** Renders the text as code, as a link if there is a URL. */
export const linkedCode = (text: string, url: Option.Option<WebUrl.WebUrl>, maximum: number): Markdown => {
  const shown = code(text, maximum)
  return shown === EMPTY ? shown : Option.match(url, { onNone: () => shown, onSome: (it) => link(shown, it) })
}
