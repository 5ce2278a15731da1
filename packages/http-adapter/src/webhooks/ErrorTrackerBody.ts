import type * as ErrorTracker from "@community-messaging/domain/webhook/error-tracker/Notification"
import { Option, Predicate, Schema } from "effect"
import { exactText, field, IntegerOrString } from "../wire/WireType.ts"
import { listed, listedOf, nameOf, nonBlankOf, recordOf, stringOf, unchecked, unlisted } from "./NotificationField.ts"

const string = (description: string) => listed(Schema.String, description)
const integer = (description: string) => listed(IntegerOrString, description)

const Project = Schema.Struct({
  id: integer("Identifies the project."),
  name: string("The name of the project."),
  slug: string("The short name of the project."),
  platform: string("The language or framework, such as `node`.")
}).annotations({ identifier: "ErrorTrackerProject", description: "A project at the error tracker." })

const Metadata = Schema.Struct({
  value: string("The message of the error."),
  type: string("The type of the error, such as `TypeError`.")
})

const Issue = Schema.Struct({
  id: integer("Identifies the issue."),
  shortId: string("The short id, such as `KILN-7`."),
  title: string("The title."),
  permalink: string("The page of the issue."),
  level: string("How severe it is, such as `error`."),
  status: string("The status, such as `unresolved`."),
  platform: string("The language or framework, such as `node`."),
  project: listed(Project, "The project of the issue."),
  type: string("The kind of issue, such as `error`."),
  metadata: listed(Metadata, "The type and the message of the error."),
  count: integer("How often it happened."),
  userCount: integer("How many users it affected."),
  firstSeen: string("When it happened first."),
  lastSeen: string("When it happened last."),
  culprit: string("The code that caused it."),
  web_url: unlisted(Schema.String, "The page of the issue, if there is no `permalink`."),
  url: unlisted(Schema.String, "The address of the issue in the tracker's API."),
  project_url: unlisted(Schema.String, "The page of the issue's project."),
  substatus: unlisted(Schema.String, "The detailed status."),
  assignedTo: unlisted(
    Schema.Struct({ name: field(Schema.String, "The name of the person or the team.") }),
    "Who the issue is assigned to."
  )
}).annotations({ identifier: "ErrorTrackerIssue", description: "A group of equal errors." })

/** The event of an issue alert. Its fields are read if they have the right type. */
const AlertEvent = Schema.Struct({
  title: unchecked(Schema.String, "The title of the event."),
  web_url: unchecked(Schema.String, "The page of the event."),
  issue_url: unchecked(Schema.String, "The address of the issue in the tracker's API."),
  issue_id: unchecked(Schema.String, "Identifies the issue."),
  level: unchecked(Schema.String, "How severe it is, such as `error`."),
  culprit: unchecked(Schema.String, "The code that caused it.")
})

const MetricAlert = Schema.Struct({
  alert_rule: unchecked(
    Schema.Struct({ name: field(Schema.String, "The name of the rule.") }),
    "The rule of the alert."
  ),
  projects: unchecked(Schema.Array(Schema.String), "The short names of the projects.")
})

const Data = Schema.Struct({
  issue: listed(Issue, "The issue."),
  event: unlisted(AlertEvent, "The event that an issue alert is about."),
  triggered_rule: unlisted(Schema.String, "The rule of an issue alert."),
  metric_alert: unlisted(MetricAlert, "The metric alert, with its projects and its rule."),
  description_title: unlisted(Schema.String, "The title of a metric alert."),
  description_text: unlisted(Schema.String, "The text of a metric alert."),
  web_url: unlisted(Schema.String, "The page of a metric alert.")
})

const Installation = Schema.Struct({ uuid: string("Identifies the installation.") })

const Actor = Schema.Struct({
  type: string("`user` or `application`."),
  id: integer("Identifies the actor."),
  name: string("The name of the actor.")
})

/**
 * The body of an error tracker's notification: an object. No field is required. Source: API reference, Execute
 * error-tracking webhook; API gaps, Notifications and webhooks.
 */
export const ErrorTrackerBody = Schema.Struct({
  action: string("What happened, such as `resolved`."),
  installation: listed(Installation, "The installation of the tracker's integration."),
  data: listed(Data, "What the notification is about."),
  actor: listed(Actor, "Who caused the event.")
}).annotations({
  identifier: "ErrorTrackerNotification",
  description: "A notification by the error tracker. Other fields are ignored."
})
export interface ErrorTrackerBody extends Schema.Schema.Type<typeof ErrorTrackerBody> {}

const toText = (value: typeof IntegerOrString.Type | null | undefined): Option.Option<string> =>
  Option.flatMap(listedOf(value), exactText)

const toIssue = (issue: typeof Issue.Type): ErrorTracker.Issue => ({
  shortId: listedOf(issue.shortId),
  title: listedOf(issue.title),
  page: {
    id: toText(issue.id),
    permalink: listedOf(issue.permalink),
    webUrl: stringOf(issue.web_url),
    apiUrl: stringOf(issue.url),
    projectUrl: stringOf(issue.project_url)
  },
  level: listedOf(issue.level),
  substatus: stringOf(issue.substatus),
  projectName: nonBlankOf(issue.project?.name, issue.project?.slug),
  culprit: listedOf(issue.culprit),
  errorType: listedOf(issue.metadata?.type),
  errorValue: listedOf(issue.metadata?.value),
  eventCount: toText(issue.count),
  userCount: toText(issue.userCount),
  assignee: nameOf(issue.assignedTo)
})

type DataBody = typeof Data.Type

const toIssueAlert = ({ event, triggered_rule: rule }: DataBody): Option.Option<ErrorTracker.IssueAlert> =>
  Option.map(recordOf(event), ({ culprit, issue_id: id, issue_url: apiUrl, level, title, web_url: webUrl }) => ({
    rule: stringOf(rule),
    title: stringOf(title),
    page: {
      id: stringOf(id),
      permalink: Option.none(),
      webUrl: stringOf(webUrl),
      apiUrl: stringOf(apiUrl),
      projectUrl: Option.none()
    },
    level: stringOf(level),
    culprit: stringOf(culprit)
  }))

const toMetricAlert = (data: DataBody): Option.Option<ErrorTracker.MetricAlert> =>
  Option.map(recordOf(data.metric_alert), ({ alert_rule: rule, projects }) => ({
    rule: nameOf(rule),
    title: stringOf(data.description_title),
    description: stringOf(data.description_text),
    url: stringOf(data.web_url),
    projects: Array.isArray(projects) ? projects.filter(Predicate.isString) : []
  }))

/** Converts a body to a notification. */
export const toNotification = ({ action, actor, data }: ErrorTrackerBody): ErrorTracker.Notification => ({
  action: listedOf(action),
  issue: Option.map(listedOf(data?.issue), toIssue),
  issueAlert: Option.flatMap(listedOf(data), toIssueAlert),
  metricAlert: Option.flatMap(listedOf(data), toMetricAlert),
  actor: Option.map(listedOf(actor), ({ name, type }) => ({ name: listedOf(name), type: listedOf(type) }))
})
