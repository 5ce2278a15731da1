import { Option } from "effect"
import { type Embed, type EmbedField, MAX_DESCRIPTION_LENGTH } from "../../message/Embed.ts"
import { block, code, EMPTY, link, type Markdown } from "../Markdown.ts"
import * as RichEmbed from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import type { Notification, Subject } from "./Notification.ts"

/** What a message says. Text is plain, URLs are as a third party gave them. */
export interface Announcement {
  readonly title: string
  readonly url: Option.Option<string>
  readonly colour: number
  /** What stands in brackets before the title; the repository with its owner unless given. */
  readonly place?: string
  readonly description?: Markdown
  readonly fields?: ReadonlyArray<typeof EmbedField.Type>
}

/** The text, blank where there is none. */
export const textOf = (text: Option.Option<string>): string => Option.getOrElse(text, () => "").trim()

/** The first of the texts that is there and not blank. */
export const firstOf = (...texts: ReadonlyArray<Option.Option<string>>): string =>
  texts.map(textOf).find((text) => text !== "") ?? ""

/** Whether an event that posts when something is created tells of that; hosts may leave the action out where it is the only one. */
export const isCreation = ({ action }: Notification): boolean => ["created", ""].includes(textOf(action))

/** The repository's name with its owner, blank where it is not told. */
const repositoryName = ({ repository }: Notification): string =>
  firstOf(Option.flatMap(repository, (_) => _.fullName), Option.flatMap(repository, (_) => _.name))

/** The message: who did it, where, and what. */
export const renderEmbed = (notification: Notification, announcement: Announcement): Embed =>
  RichEmbed.richEmbed({
    title: RichEmbed.title(announcement.place ?? repositoryName(notification), announcement.title),
    url: Option.flatMap(announcement.url, WebUrl.fromText),
    colour: announcement.colour,
    author: RichEmbed.author({
      name: notification.sender.login,
      url: notification.sender.url,
      iconUrl: notification.sender.avatarUrl
    }),
    description: announcement.description ?? EMPTY,
    fields: announcement.fields ?? []
  })

/** What somebody wrote, as a description. */
export const written = (body: Option.Option<string>): Markdown => block(textOf(body), MAX_DESCRIPTION_LENGTH)

/** `Issue opened` and `#1 Title` make `Issue opened: #1 Title`. */
export const heading = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(": ")

/** `#1`, blank where there is no number. */
export const numberOf = ({ number }: Subject): string =>
  Option.match(number, { onNone: () => "", onSome: (it) => `#${it}` })

/** `#1 Title`. */
export const reference = (subject: Subject): string => `${numberOf(subject)} ${textOf(subject.title)}`.trim()

/** `New comment on issue` about a subject: `New comment on issue #1: Title`. */
export const about = (what: string, subject: Option.Option<Subject>): string =>
  Option.match(subject, {
    onNone: () => what,
    onSome: (it) => heading(`${what} ${numberOf(it)}`.trim(), textOf(it.title))
  })

/** The first seven digits of a commit's id; blank where it is none. */
export const shortHash = (commitId: Option.Option<string>): string =>
  /^[0-9a-f]{7}(?=[0-9a-f]*$)/i.exec(textOf(commitId))?.[0] ?? ""

/** The page of the repository at that path. */
export const repositoryPage = ({ repository }: Notification, path: string): Option.Option<WebUrl.WebUrl> =>
  repository.pipe(
    Option.flatMap((_) => _.url),
    Option.flatMap(WebUrl.fromText),
    Option.flatMap((url) => path === "" ? Option.some(url) : WebUrl.below(url, path))
  )

/** The text as code, a link where a URL is given. */
export const linkedCode = (text: string, url: Option.Option<WebUrl.WebUrl>, maximum: number): Markdown => {
  const shown = code(text, maximum)
  return shown === EMPTY ? shown : Option.match(url, { onNone: () => shown, onSome: (it) => link(shown, it) })
}
