import { Schema } from "effect"
import { optionalField } from "../../shared-kernel/OptionalField.ts"

const text = optionalField(Schema.String)

/**
 * The fields that determine the page of an issue. `apiUrl` is its URL in the tracker's API, `projectUrl` its project's page.
 */
export const IssuePage = Schema.Struct({ id: text, permalink: text, webUrl: text, apiUrl: text, projectUrl: text })
export interface IssuePage extends Schema.Schema.Type<typeof IssuePage> {}

/** An issue: a group of equal errors. `eventCount` and `userCount` are decimal numbers as the tracker writes them. */
export const Issue = Schema.Struct({
  shortId: text,
  title: text,
  page: IssuePage,
  level: text,
  /** The detailed status: `regressed`, `escalating` and others. */
  substatus: text,
  projectName: text,
  culprit: text,
  /** The class of the error. */
  errorType: text,
  errorValue: text,
  eventCount: text,
  userCount: text,
  assignee: text
}).annotations({ identifier: "ErrorTrackerIssue" })
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/** An alert about an event of an issue; `rule` is the alert rule that raised it. */
export const IssueAlert = Schema.Struct({ rule: text, title: text, page: IssuePage, level: text, culprit: text })
  .annotations({ identifier: "ErrorTrackerIssueAlert" })
export interface IssueAlert extends Schema.Schema.Type<typeof IssueAlert> {}

/** An alert about a number, such as errors in a minute. */
export const MetricAlert = Schema.Struct({
  rule: text,
  title: text,
  description: text,
  url: text,
  projects: Schema.Array(Schema.String)
}).annotations({ identifier: "ErrorTrackerMetricAlert" })
export interface MetricAlert extends Schema.Schema.Type<typeof MetricAlert> {}

/** The actor that caused the notification. Not a person if `type` is `application`. */
export const Actor = Schema.Struct({ name: text, type: text }).annotations({ identifier: "ErrorTrackerActor" })
export interface Actor extends Schema.Schema.Type<typeof Actor> {}

/**
 * The fields of an error tracker's notification that messages use (API reference, Execute error-tracking webhook; API
 * gaps, Notifications and webhooks). Texts and URLs are as the third party sent them.
 */
export const Notification = Schema.Struct({
  action: text,
  issue: optionalField(Issue),
  issueAlert: optionalField(IssueAlert),
  metricAlert: optionalField(MetricAlert),
  actor: optionalField(Actor)
}).annotations({ identifier: "ErrorTrackerNotification" })
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
