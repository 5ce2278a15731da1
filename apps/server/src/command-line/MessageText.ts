import type { ChildEmbed, Embed } from "@community-messaging/domain/message/Embed"
import type { Message } from "@community-messaging/domain/message/Message"
import { DateTime, Option } from "effect"
import * as PlainText from "./PlainText.ts"

type Text = Option.Option<string>

const linesOf = (text: Text): ReadonlyArray<string> =>
  Option.match(Option.filter(text, (value) => value !== ""), { onNone: () => [], onSome: PlainText.lines })

const indented = (lines: ReadonlyArray<string>, indent: string): ReadonlyArray<string> =>
  lines.map((line) => `${indent}${line}`.trimEnd())

const fieldLines = ({ fields }: ChildEmbed): ReadonlyArray<string> =>
  Option.getOrElse(fields, () => []).map(({ name, value }) =>
    [name, value].flatMap(Option.toArray).map(PlainText.oneLine).join(": ")
  )

const embedLines = (embed: ChildEmbed): ReadonlyArray<string> => [
  ...linesOf(Option.flatMap(embed.author, ({ name }) => name)),
  ...linesOf(embed.title),
  ...linesOf(embed.url),
  ...linesOf(embed.description),
  ...fieldLines(embed),
  ...linesOf(Option.flatMap(embed.image, ({ url }) => url)),
  ...linesOf(Option.flatMap(embed.footer, ({ text }) => text))
]

const embedsOf = (embeds: Option.Option<ReadonlyArray<Embed>>): ReadonlyArray<string> =>
  Option.getOrElse(embeds, () => []).flatMap((embed) => [
    ...indented(embedLines(embed), "  | "),
    ...Option.getOrElse(embed.children, () => []).flatMap((child) => indented(embedLines(child), "  | | "))
  ])

const attachmentLines = ({ payload }: Message): ReadonlyArray<string> =>
  Option.getOrElse(payload.attachments, () => []).map(({ filename, url }) =>
    `  [file] ${[filename, url].flatMap(Option.toArray).map(PlainText.oneLine).join(" ")}`
  )

const authorOf = ({ author }: Message, usernames: ReadonlyMap<string, string>): string =>
  author._tag === "Webhook"
    ? `${PlainText.oneLine(author.name)} (webhook ${author.webhookId})`
    : `${PlainText.oneLine(usernames.get(author.userId) ?? "unknown")} (user ${author.userId})`

/**
 * Renders a message for a terminal: a line with its time, author and id, then its content and embeds as plain text. Third
 * parties write messages, so nothing in them may move the cursor, set a colour or look like another message: the text is
 * indented, and control characters are removed.
 */
export const render = (message: Message, usernames: ReadonlyMap<string, string>): string =>
  [
    `${DateTime.formatIso(message.createdAt)}  ${authorOf(message, usernames)}  ${message.id}`,
    ...indented(linesOf(message.payload.content), "  "),
    ...embedsOf(message.payload.embeds),
    ...attachmentLines(message)
  ].join("\n")
