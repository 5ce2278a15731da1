import type * as ErrorTracker from "@community-messaging/domain/webhook/error-tracker/Notification"
import { Option, Schema } from "effect"
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
  substatus: unlisted(Schema.String, { type: "string", description: "The detailed status." }),
  assignedTo: unlisted(Schema.Struct({ name: Schema.String }), {
    type: "object",
    properties: { name: { type: ["string", "null"] } },
    description: "Who the issue is assigned to."
  })
}).annotations({ identifier: "ErrorTrackerIssue", description: "A group of equal errors." })

/**
 * The body of an error tracker's notification: an object. No field is required. Source: API reference, Execute
 * error-tracking webhook; API gaps, Notifications and webhooks.
 */
export const ErrorTrackerBody = Schema.Struct({
  action: string,
  installation: listed(Schema.Struct({ uuid: string })),
  data: listed(Schema.Struct({ issue: listed(Issue) })),
  actor: listed(Schema.Struct({ type: string, id: integer, name: string }))
}).annotations({
  identifier: "ErrorTrackerNotification",
  description: "A notification by the error tracker. Other fields are ignored."
})
export interface ErrorTrackerBody extends Schema.Schema.Type<typeof ErrorTrackerBody> {}

const toIssue = (issue: typeof Issue.Type): ErrorTracker.Issue => ({
  shortId: issue.shortId,
  title: issue.title,
  url: Option.orElse(issue.permalink, () => issue.web_url),
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

/** Converts a body to a notification. */
export const toNotification = (body: ErrorTrackerBody): ErrorTracker.Notification => ({
  action: body.action,
  issue: Option.map(Option.flatMap(body.data, ({ issue }) => issue), toIssue),
  actor: Option.map(body.actor, ({ name, type }) => ({ name, type }))
})
