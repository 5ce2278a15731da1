import { Option, Record } from "effect"
import { type Embed, MAX_DESCRIPTION_LENGTH } from "../../message/Embed.ts"
import { code, EMPTY, line, lines, type Markdown } from "../Markdown.ts"
import { author, field, MAX_FIELD_VALUE_LENGTH, richEmbed, title } from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import { issueUrl } from "./IssueUrl.ts"
import type { Issue, IssueAlert, MetricAlert, Notification } from "./Notification.ts"

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

/** The colour of resolved issues and metric alerts. */
export const RESOLVED_COLOUR = 0x2da44e

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

/** Trackers send 0 for a number that they do not know yet. */
const known = Option.filter<string>((count) => count.trim() !== "0")

const levelColour = (level: Option.Option<string>): number =>
  Option.getOrElse(Record.get(LEVEL_COLOUR, textOf(level).toLowerCase()), () => OTHER_LEVEL_COLOUR)

const fields = (issue: Issue) => {
  const shown = (name: string, text: Option.Option<string>) =>
    field(name, line(textOf(text), MAX_FIELD_VALUE_LENGTH), { inline: true })
  return [
    ...field("Culprit", code(textOf(issue.culprit), MAX_FIELD_VALUE_LENGTH), { inline: false }),
    ...shown("Project", issue.projectName),
    ...shown("Level", issue.level),
    ...shown("Short ID", issue.shortId),
    ...shown("Events", known(issue.eventCount)),
    ...shown("Users affected", known(issue.userCount)),
    ...shown("Assigned to", issue.assignee)
  ]
}

const issueEmbed = (notification: Notification, issue: Issue, what: string): Embed => {
  const name = nameOf(issue)
  const person = Option.filter(notification.actor, ({ type }) => textOf(type) !== "application")
  return richEmbed({
    title: title(textOf(issue.projectName), name === "" ? what : `${what}: ${name}`),
    url: issueUrl(issue.page),
    colour: textOf(notification.action) === "resolved" ? RESOLVED_COLOUR : levelColour(issue.level),
    author: author({
      name: textOf(Option.flatMap(person, (_) => _.name)),
      url: Option.none(),
      iconUrl: Option.none()
    }),
    description: description(issue),
    fields: fields(issue)
  })
}

const issueAlertEmbed = ({ culprit, level, page, rule, title: name }: IssueAlert): Embed =>
  richEmbed({
    title: title("", textOf(name) === "" ? "Issue alert" : `Issue alert: ${textOf(name)}`),
    url: issueUrl(page),
    colour: levelColour(level),
    author: Option.none(),
    description: EMPTY,
    fields: [
      ...field("Rule", line(textOf(rule), MAX_FIELD_VALUE_LENGTH), { inline: false }),
      ...field("Culprit", code(textOf(culprit), MAX_FIELD_VALUE_LENGTH), { inline: false }),
      ...field("Level", line(textOf(level), MAX_FIELD_VALUE_LENGTH), { inline: true })
    ]
  })

/** The colours of metric alerts by their action. Other actions make no message. */
const METRIC_ALERT_COLOUR: { readonly [action: string]: number | undefined } = {
  critical: LEVEL_COLOUR["error"],
  warning: LEVEL_COLOUR["warning"],
  resolved: RESOLVED_COLOUR
}

const metricAlertEmbed = (alert: MetricAlert, action: string): Option.Option<Embed> =>
  Option.map(Option.flatMapNullable(Record.get(METRIC_ALERT_COLOUR, action), (colour) => colour), (colour) => {
    const name = [alert.title, alert.rule].map(textOf).find((text) => text !== "")
    return richEmbed({
      title: title("", name === undefined ? `Metric alert: ${action}` : `Metric alert: ${name}`),
      url: Option.flatMap(alert.url, WebUrl.fromText),
      colour,
      author: Option.none(),
      description: lines(textOf(alert.description), MAX_DESCRIPTION_LENGTH),
      fields: [
        ...field("Rule", line(textOf(alert.rule), MAX_FIELD_VALUE_LENGTH), { inline: false }),
        ...field("Project", line(alert.projects.join(", "), MAX_FIELD_VALUE_LENGTH), { inline: true })
      ]
    })
  })

type Resource = "issue" | "event_alert" | "metric_alert"

const isResource = (resource: string): resource is Resource =>
  resource === "issue" || resource === "event_alert" || resource === "metric_alert"

/**
 * Returns the resource that a notification is about; none if it never makes a message. `header` is the value of the
 * tracker's resource header; without it, the resource is inferred.
 */
export const resourceOf = (header: Option.Option<string>, notification: Notification): Option.Option<Resource> =>
  Option.match(header, {
    onNone: () =>
      Option.firstSomeOf([
        Option.as(notification.issue, "issue" as const),
        Option.as(notification.metricAlert, "metric_alert" as const),
        Option.as(notification.issueAlert, "event_alert" as const)
      ]),
    onSome: Option.liftPredicate(isResource)
  })

/**
 * Returns the embed that is posted for an error tracker's event; none if the event makes no message. Source: API
 * reference, Execute error-tracking webhook; API gaps, Notifications and webhooks.
 */
export const embed = (header: Option.Option<string>, notification: Notification): Option.Option<Embed> => {
  const action = textOf(notification.action)
  switch (Option.getOrUndefined(resourceOf(header, notification))) {
    case "issue":
      return Option.flatMap(
        notification.issue,
        (issue) => Option.map(titleOf(action, issue), (what) => issueEmbed(notification, issue, what))
      )
    case "event_alert":
      return Option.map(Option.filter(notification.issueAlert, () => action === "triggered"), issueAlertEmbed)
    case "metric_alert":
      return Option.flatMap(notification.metricAlert, (alert) => metricAlertEmbed(alert, action))
    case undefined:
      return Option.none()
  }
}
