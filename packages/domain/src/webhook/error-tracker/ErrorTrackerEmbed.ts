import { Option, Record } from "effect"
import { type Embed, MAX_DESCRIPTION_LENGTH } from "../../message/Embed.ts"
import { code, EMPTY, line, lines, type Markdown } from "../Markdown.ts"
import { author, field, MAX_FIELD_VALUE_LENGTH, richEmbed, title } from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import type { Issue, Notification } from "./Notification.ts"

/** The colour of a message by the level of its issue, as 24-bit RGB. */
export const LEVEL_COLOUR: { readonly [level: string]: number } = {
  fatal: 0x8b0000,
  error: 0xe03e2f,
  warning: 0xf2b712,
  info: 0x3b6ecc,
  debug: 0x8c8c8c
}

/** The colour for a missing or unknown level. */
export const OTHER_LEVEL_COLOUR = 0x584774

/** The title by the action on the issue. Other actions make no message. */
const TITLES: { readonly [action: string]: string } = {
  created: "New issue",
  resolved: "Issue resolved",
  unresolved: "Issue unresolved",
  assigned: "Issue assigned",
  archived: "Issue archived",
  ignored: "Issue archived"
}

/** The title of an unresolved issue by the reason why it is unresolved. */
const UNRESOLVED_TITLES: { readonly [substatus: string]: string } = {
  regressed: "Issue regressed",
  escalating: "Issue escalating"
}

const textOf = (text: Option.Option<string>): string => Option.getOrElse(text, () => "").trim()

const titleOf = (action: string, issue: Issue): Option.Option<string> =>
  Option.orElse(
    action === "unresolved" ? Record.get(UNRESOLVED_TITLES, textOf(issue.substatus)) : Option.none(),
    () => Record.get(TITLES, action)
  )

/** Returns the issue's title, such as `ReferenceError: x is not defined`, or else its error or its short id. */
const nameOf = (issue: Issue): string => {
  const error = [issue.errorType, issue.errorValue].map(textOf).filter((part) => part !== "").join(": ")
  return [textOf(issue.title), error, textOf(issue.shortId)].find((name) => name !== "") ?? ""
}

/** Renders the error's message, unless the title already contains it. */
const description = (issue: Issue): Markdown => {
  const message = textOf(issue.errorValue)
  return nameOf(issue).includes(message) ? EMPTY : lines(message, MAX_DESCRIPTION_LENGTH)
}

const fields = (issue: Issue) => {
  const shown = (name: string, text: Option.Option<string>) =>
    field(name, line(textOf(text), MAX_FIELD_VALUE_LENGTH), { inline: true })
  return [
    ...field("Culprit", code(textOf(issue.culprit), MAX_FIELD_VALUE_LENGTH), { inline: false }),
    ...shown("Project", issue.projectName),
    ...shown("Level", issue.level),
    ...shown("Short ID", issue.shortId),
    ...shown("Events", issue.eventCount),
    ...shown("Users affected", issue.userCount),
    ...shown("Assigned to", issue.assignee)
  ]
}

const issueEmbed = (notification: Notification, issue: Issue, what: string): Embed => {
  const name = nameOf(issue)
  const person = Option.filter(notification.actor, ({ type }) => textOf(type) !== "application")
  return richEmbed({
    title: title(textOf(issue.projectName), name === "" ? what : `${what}: ${name}`),
    url: Option.flatMap(issue.url, WebUrl.fromText),
    colour: Option.getOrElse(Record.get(LEVEL_COLOUR, textOf(issue.level).toLowerCase()), () => OTHER_LEVEL_COLOUR),
    author: author({
      name: textOf(Option.flatMap(person, (_) => _.name)),
      url: Option.none(),
      iconUrl: Option.none()
    }),
    description: description(issue),
    fields: fields(issue)
  })
}

/**
 * Returns the embed that is posted for an error tracker's event; none if the event makes no message. `resource` is the
 * value of the tracker's resource header; without it, a notification with an issue is treated as an issue event.
 * Source: API reference, Execute error-tracking webhook; API gaps, Notifications and webhooks.
 */
export const embed = (resource: Option.Option<string>, notification: Notification): Option.Option<Embed> =>
  notification.issue.pipe(
    Option.filter(() => Option.getOrElse(resource, () => "issue") === "issue"),
    Option.flatMap((issue) =>
      Option.map(titleOf(textOf(notification.action), issue), (what) => issueEmbed(notification, issue, what))
    )
  )
