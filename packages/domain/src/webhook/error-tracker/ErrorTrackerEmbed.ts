import { Option, Predicate, Record } from "effect"
import { MAX_DESCRIPTION_LENGTH } from "../../message/Embed.ts"
import * as EventTable from "../EventTable.ts"
import { code, EMPTY, line, lines, type Markdown } from "../Markdown.ts"
import { exactText, firstNonBlank, type Text, textOf } from "../NotificationField.ts"
import { author, field, MAX_FIELD_VALUE_LENGTH, richEmbed, title } from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import { eventUrl, issueUrl } from "./IssueUrl.ts"
import type { Issue, Notification } from "./Notification.ts"

/** The colour of a message by the level of its issue, as 24-bit RGB. */
export const LEVEL_COLOUR = {
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

/** Returns the issue's title, such as `ReferenceError: x is not defined`, or else its error or its short id. */
const nameOf = ({ metadata, shortId, title: name }: Issue): string => {
  const error = [metadata?.type, metadata?.value].map(textOf).filter((part) => part !== "").join(": ")
  return firstNonBlank(name, error, shortId)
}

/** Renders the error's message, unless the issue's name already contains it. */
const description = ({ metadata }: Issue, name: string): Markdown => {
  const message = textOf(metadata?.value)
  return name.includes(message) ? EMPTY : lines(message, MAX_DESCRIPTION_LENGTH)
}

/** Returns a count; empty if it is 0, which trackers send for a number that they do not know yet. */
const countOf = (count: Issue["count"]): string => textOf(exactText(count)) === "0" ? "" : exactText(count)

const levelColour = (level: Text): number =>
  Option.getOrElse(Record.get<string, number>(LEVEL_COLOUR, textOf(level).toLowerCase()), () => OTHER_LEVEL_COLOUR)

/** A field with a text on one line. */
const shown = (name: string, text: Text, inline: boolean) =>
  field(name, line(textOf(text), MAX_FIELD_VALUE_LENGTH), { inline })

const culprit = (text: Text) => field("Culprit", code(textOf(text), MAX_FIELD_VALUE_LENGTH), { inline: false })

/** The message of an issue, with what happened to it and the colour, by default that of its level. */
const issueEmbed =
  (whatOf: (issue: Issue) => string, colour?: number): EventTable.Render<Notification> => ({ actor, data }) =>
    Option.map(Option.fromNullable(data?.issue), (issue) => {
      const name = nameOf(issue)
      const what = whatOf(issue)
      const project = firstNonBlank(issue.project?.name, issue.project?.slug)
      return richEmbed({
        title: title(project, name === "" ? what : `${what}: ${name}`),
        url: issueUrl(issue),
        colour: colour ?? levelColour(issue.level),
        author: author({ name: textOf(actor?.type) === "application" ? undefined : actor?.name }),
        description: description(issue, name),
        fields: [
          ...culprit(issue.culprit),
          ...shown("Project", project, true),
          ...shown("Level", issue.level, true),
          ...shown("Short ID", issue.shortId, true),
          ...shown("Events", countOf(issue.count), true),
          ...shown("Users affected", countOf(issue.userCount), true),
          ...shown("Assigned to", issue.assignedTo?.name, true)
        ]
      })
    })

/** What happened to an issue that is unresolved, by the reason for it. */
const unresolved = ({ substatus }: Issue): string => {
  switch (textOf(substatus)) {
    case "regressed":
      return "Issue regressed"
    case "escalating":
      return "Issue escalating"
    default:
      return "Issue unresolved"
  }
}

const issueAlertEmbed: EventTable.Render<Notification> = ({ data }) =>
  Option.map(Option.fromNullable(data?.event), (event) => {
    const name = textOf(event.title)
    return richEmbed({
      title: title("", name === "" ? "Issue alert" : `Issue alert: ${name}`),
      url: eventUrl(event),
      colour: levelColour(event.level),
      author: Option.none(),
      description: EMPTY,
      fields: [
        ...shown("Rule", data?.triggered_rule, false),
        ...culprit(event.culprit),
        ...shown("Level", event.level, true)
      ]
    })
  })

const metricAlertEmbed = (colour: number): EventTable.Render<Notification> => ({ action, data }) =>
  Option.map(Option.fromNullable(data?.metric_alert), ({ alert_rule: rule, projects }) => {
    const name = firstNonBlank(data?.description_title, rule?.name)
    return richEmbed({
      title: title("", `Metric alert: ${name === "" ? textOf(action) : name}`),
      url: WebUrl.fromText(data?.web_url),
      colour,
      author: Option.none(),
      description: lines(textOf(data?.description_text), MAX_DESCRIPTION_LENGTH),
      fields: [
        ...shown("Rule", rule?.name, false),
        ...shown("Project", (projects ?? []).filter(Predicate.isString).join(", "), true)
      ]
    })
  })

const archivedEmbed = issueEmbed(() => "Issue archived")

/**
 * The resources of an error tracker that can make a message, by the names in its header. Source: API reference, Execute
 * error-tracking webhook; API gaps, Notifications and webhooks.
 */
export const { delivery } = EventTable.make<Notification>()({
  issue: {
    isInferred: (_) => Predicate.isNotNullable(_.data?.issue),
    messages: {
      created: issueEmbed(() => "New issue"),
      resolved: issueEmbed(() => "Issue resolved", RESOLVED_COLOUR),
      unresolved: issueEmbed(unresolved),
      assigned: issueEmbed(() => "Issue assigned"),
      archived: archivedEmbed,
      ignored: archivedEmbed
    }
  },
  metric_alert: {
    isInferred: (_) => Predicate.isNotNullable(_.data?.metric_alert),
    messages: {
      critical: metricAlertEmbed(LEVEL_COLOUR.error),
      warning: metricAlertEmbed(LEVEL_COLOUR.warning),
      resolved: metricAlertEmbed(RESOLVED_COLOUR)
    }
  },
  event_alert: {
    isInferred: (_) => Predicate.isNotNullable(_.data?.event),
    messages: { triggered: issueAlertEmbed }
  }
})
