import type * as ErrorTracker from "@community-messaging/domain/webhook/error-tracker/Notification"
import { Option, Predicate, Schema } from "effect"
import { PresentAs } from "../wire/PresentAs.ts"
import { IntegerOrString, listed, unlisted } from "./NotificationField.ts"

const string = listed(Schema.String)
const integer = listed(IntegerOrString)

const Project = Schema.Struct({ id: integer, name: string, slug: string, platform: string }).annotations({
  identifier: "ErrorTrackerProject"
})

const Issue = Schema.Struct({
  id: integer,
  shortId: string,
  title: string,
  permalink: string,
  level: string,
  status: string,
  platform: string,
  project: listed(Project),
  type: string,
  metadata: listed(Schema.Struct({ value: string, type: string })),
  count: integer,
  userCount: integer,
  firstSeen: string,
  lastSeen: string,
  culprit: string,
  web_url: unlisted(Schema.String, {
    type: "string",
    description: "The page of the issue, for where there is no `permalink`."
  }),
  url: unlisted(Schema.String, { type: "string", description: "The address of the issue in the tracker's API." }),
  project_url: unlisted(Schema.String, { type: "string", description: "The page of the issue's project." }),
  substatus: unlisted(Schema.String, { type: "string", description: "The detailed status." }),
  assignedTo: unlisted(Schema.Struct({ name: Schema.String }), {
    type: "object",
    properties: { name: { type: ["string", "null"] } },
    description: "Who the issue is assigned to."
  })
}).annotations({ identifier: "ErrorTrackerIssue", description: "A group of equal errors." })

/** A member of an object whose type is not checked, with the type by which it is read. */
const unchecked = (type: Schema.Schema.AnyNoContext) =>
  Schema.optionalWith(Schema.Unknown.annotations({ [PresentAs]: type.ast }), { exact: true })

const text = unchecked(Schema.String)

/** The event of an issue alert. Its fields are read if they have the right type. */
const AlertEvent = Schema.Struct({
  title: text,
  web_url: text,
  issue_url: text,
  issue_id: text,
  level: text,
  culprit: text
})

const MetricAlert = Schema.Struct({
  alert_rule: unchecked(Schema.Struct({ name: Schema.String })),
  projects: unchecked(Schema.Array(Schema.String))
})

/**
 * The body of an error tracker's notification: an object. No field is required. Source: API reference, Execute
 * error-tracking webhook; API gaps, Notifications and webhooks.
 */
export const ErrorTrackerBody = Schema.Struct({
  action: string,
  installation: listed(Schema.Struct({ uuid: string })),
  data: listed(Schema.Struct({
    issue: listed(Issue),
    event: unlisted(AlertEvent, {
      type: "object",
      properties: {
        title: { type: ["string", "null"] },
        web_url: { type: ["string", "null"] },
        issue_url: { type: ["string", "null"] },
        issue_id: { type: ["string", "null"] },
        level: { type: ["string", "null"] },
        culprit: { type: ["string", "null"] }
      },
      description: "The event that an issue alert is about."
    }),
    triggered_rule: unlisted(Schema.String, { type: "string", description: "The rule of an issue alert." }),
    metric_alert: unlisted(MetricAlert, {
      type: "object",
      additionalProperties: {},
      description: "The metric alert, with its projects and its rule."
    }),
    description_title: unlisted(Schema.String, { type: "string", description: "The title of a metric alert." }),
    description_text: unlisted(Schema.String, { type: "string", description: "What a metric alert tells." }),
    web_url: unlisted(Schema.String, { type: "string", description: "The page of a metric alert." })
  })),
  actor: listed(Schema.Struct({ type: string, id: integer, name: string }))
}).annotations({
  identifier: "ErrorTrackerNotification",
  description: "A notification by the error tracker. Other fields are ignored."
})
export interface ErrorTrackerBody extends Schema.Schema.Type<typeof ErrorTrackerBody> {}

const toIssue = (issue: typeof Issue.Type): ErrorTracker.Issue => ({
  shortId: issue.shortId,
  title: issue.title,
  page: {
    id: Option.map(issue.id, String),
    permalink: issue.permalink,
    webUrl: issue.web_url,
    apiUrl: issue.url,
    projectUrl: issue.project_url
  },
  level: issue.level,
  substatus: issue.substatus,
  projectName: Option.flatMap(issue.project, ({ name, slug }) => Option.orElse(name, () => slug)),
  culprit: issue.culprit,
  errorType: Option.flatMap(issue.metadata, ({ type }) => type),
  errorValue: Option.flatMap(issue.metadata, ({ value }) => value),
  eventCount: Option.map(issue.count, String),
  userCount: Option.map(issue.userCount, String),
  assignee: Option.map(issue.assignedTo, ({ name }) => name)
})

type DataBody = Option.Option.Value<ErrorTrackerBody["data"]>

const stringOf = Option.liftPredicate(Predicate.isString)

const toIssueAlert = ({ event, triggered_rule: rule }: DataBody): Option.Option<ErrorTracker.IssueAlert> =>
  Option.map(event, ({ culprit, issue_id: id, issue_url: apiUrl, level, title, web_url: webUrl }) => ({
    rule,
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
  Option.map(data.metric_alert, ({ alert_rule: rule, projects }) => ({
    rule: Predicate.isRecord(rule) ? stringOf(rule["name"]) : Option.none(),
    title: data.description_title,
    description: data.description_text,
    url: data.web_url,
    projects: Array.isArray(projects) ? projects.filter(Predicate.isString) : []
  }))

/** Converts a body to a notification. */
export const toNotification = (body: ErrorTrackerBody): ErrorTracker.Notification => ({
  action: body.action,
  issue: Option.map(Option.flatMap(body.data, ({ issue }) => issue), toIssue),
  issueAlert: Option.flatMap(body.data, toIssueAlert),
  metricAlert: Option.flatMap(body.data, toMetricAlert),
  actor: Option.map(body.actor, ({ name, type }) => ({ name, type }))
})
