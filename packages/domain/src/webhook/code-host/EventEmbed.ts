import { Option } from "effect"
import type { Embed, EmbedField } from "../../message/Embed.ts"
import * as BodyRenderer from "../body/BodyRenderer.ts"
import type { Render } from "../EventTable.ts"
import { code, EMPTY, link, type Markdown } from "../Markdown.ts"
import { firstNonBlank, isExact, type Text, textOf } from "../NotificationField.ts"
import * as RichEmbed from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import type { Notification, Subject } from "./Notification.ts"

/** The content of an embed about an event. Texts are plain third-party text. */
export interface EventContent {
  readonly title: string
  readonly url: Option.Option<WebUrl.WebUrl>
  readonly colour: number
  /** The text in brackets before the title; the default is the repository with its owner. */
  readonly place?: string
  readonly description?: Markdown
  readonly fields?: ReadonlyArray<typeof EmbedField.Type>
}

/** Returns the repository's name with its owner; empty if unknown. */
export const repositoryName = ({ repository }: Notification): string =>
  firstNonBlank(repository?.full_name, repository?.name)

/** Renders the embed with the sender, the repository and the content. */
const renderEmbed = (notification: Notification, content: EventContent): Embed =>
  RichEmbed.richEmbed({
    title: RichEmbed.title(content.place ?? repositoryName(notification), content.title),
    url: content.url,
    colour: content.colour,
    author: RichEmbed.author({
      name: notification.sender.login,
      url: notification.sender.html_url,
      iconUrl: notification.sender.avatar_url
    }),
    description: content.description ?? EMPTY,
    fields: content.fields ?? []
  })

/** The message with the content about a part of a notification; none without that part. */
export const about = <Part>(
  partOf: (notification: Notification) => Part | null | undefined,
  content: (part: Part, notification: Notification) => EventContent
): Render<Notification> =>
(notification) =>
  Option.map(
    Option.fromNullable(partOf(notification)),
    (part) => renderEmbed(notification, content(part, notification))
  )

/** Returns the page of an issue, comment or the like. */
export const pageOf = ({ html_url: url }: { readonly html_url?: Text }): Option.Option<WebUrl.WebUrl> =>
  WebUrl.fromText(url)

/** Renders the body of an issue, comment or the like as a description. The rest of it is on its page. */
export const renderBody = (part: { readonly body?: Text; readonly html_url?: Text }): Markdown =>
  BodyRenderer.renderBody(textOf(part.body), pageOf(part))

/** Joins the parts that are not empty: `Issue opened: #1 Title`. */
export const heading = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(": ")

const numberOf = ({ number }: Subject): string => isExact(number) ? `#${number}` : ""

/** Returns `#1 Title`. */
export const reference = (subject: Subject): string => `${numberOf(subject)} ${textOf(subject.title)}`.trim()

/** What an embed shows of an issue or a pull request that changed. */
export const changed = (what: string, colour: number, subject: Subject): EventContent => ({
  title: heading(what, reference(subject)),
  url: pageOf(subject),
  colour
})

/** Returns a title about a subject: `New comment on issue #1: Title`. */
export const headingAbout = (what: string, subject: Subject | null | undefined): string =>
  heading(`${what} ${numberOf(subject ?? {})}`.trim(), textOf(subject?.title))

/** Returns the first seven digits of a commit id; empty if it is not a commit id. */
export const shortHash = (commitId: Text): string => /^[0-9a-f]{7}(?=[0-9a-f]*$)/i.exec(textOf(commitId))?.[0] ?? ""

/** Returns the URL of a page of the repository. */
export const repositoryPage = ({ repository }: Notification, path: string): Option.Option<WebUrl.WebUrl> =>
  Option.flatMap(
    WebUrl.fromText(repository?.html_url),
    (url) => path === "" ? Option.some(url) : WebUrl.appendPath(url, path)
  )

/** Renders the text as code, as a link if there is a URL. */
export const linkedCode = (text: string, url: Option.Option<WebUrl.WebUrl>, maximum: number): Markdown => {
  const shown = code(text, maximum)
  return shown === EMPTY ? shown : Option.match(url, { onNone: () => shown, onSome: (it) => link(shown, it) })
}
