import { Schema } from "effect"
import {
  integerOrText,
  listed,
  objectOrNull,
  text,
  TextOrNull,
  TextsOrNull,
  unchecked,
  unlisted
} from "../NotificationField.ts"

/*
 * An error tracker's notification, with the fields that the API reference lists or messages use. Source: API reference,
 * Execute error-tracking webhook; API gaps, Notifications and webhooks.
 */

const Project = Schema.Struct({
  id: integerOrText("Identifies the project."),
  name: text("The name of the project."),
  slug: text("The short name of the project."),
  platform: text("The language or framework, such as `node`.")
}).annotations({ identifier: "ErrorTrackerProject", description: "A project at the error tracker." })

const Metadata = Schema.Struct({
  value: text("The message of the error."),
  type: text("The type of the error, such as `TypeError`.")
})

const Issue = Schema.Struct({
  id: integerOrText("Identifies the issue."),
  shortId: text("The short id, such as `KILN-7`."),
  title: text("The title."),
  permalink: text("The page of the issue."),
  level: text("How severe it is, such as `error`."),
  status: text("The status, such as `unresolved`."),
  platform: text("The language or framework, such as `node`."),
  project: listed(Project, "The project of the issue."),
  type: text("The kind of issue, such as `error`."),
  metadata: listed(Metadata, "The type and the message of the error."),
  count: integerOrText("How often it happened."),
  userCount: integerOrText("How many users it affected."),
  firstSeen: text("When it happened first."),
  lastSeen: text("When it happened last."),
  culprit: text("The code that caused it."),
  web_url: unlisted(TextOrNull, "The page of the issue, if there is no `permalink`."),
  url: unlisted(TextOrNull, "The address of the issue in the tracker's API."),
  project_url: unlisted(TextOrNull, "The page of the issue's project."),
  substatus: unlisted(TextOrNull, "The detailed status."),
  assignedTo: unlisted(
    objectOrNull({ name: unchecked(TextOrNull, "The name of the person or the team.") }),
    "Who the issue is assigned to."
  )
}).annotations({ identifier: "ErrorTrackerIssue", description: "A group of equal errors." })
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

const AlertEvent = objectOrNull({
  title: unchecked(TextOrNull, "The title of the event."),
  web_url: unchecked(TextOrNull, "The page of the event."),
  issue_url: unchecked(TextOrNull, "The address of the issue in the tracker's API."),
  issue_id: unchecked(TextOrNull, "Identifies the issue."),
  level: unchecked(TextOrNull, "How severe it is, such as `error`."),
  culprit: unchecked(TextOrNull, "The code that caused it.")
})
export type AlertEvent = NonNullable<typeof AlertEvent.Type>

const MetricAlert = objectOrNull({
  alert_rule: unchecked(
    objectOrNull({ name: unchecked(TextOrNull, "The name of the rule.") }),
    "The rule of the alert."
  ),
  projects: unchecked(TextsOrNull, "The short names of the projects.")
})

const Data = Schema.Struct({
  issue: listed(Issue, "The issue."),
  event: unlisted(AlertEvent, "The event that an issue alert is about."),
  triggered_rule: unlisted(TextOrNull, "The rule of an issue alert."),
  metric_alert: unlisted(MetricAlert, "The metric alert, with its projects and its rule."),
  description_title: unlisted(TextOrNull, "The title of a metric alert."),
  description_text: unlisted(TextOrNull, "The text of a metric alert."),
  web_url: unlisted(TextOrNull, "The page of a metric alert.")
})

const Installation = Schema.Struct({ uuid: text("Identifies the installation.") })

const Actor = Schema.Struct({
  type: text("`user` or `application`."),
  id: integerOrText("Identifies the actor."),
  name: text("The name of the actor.")
})

/** A notification. No field is required. */
export const Notification = Schema.Struct({
  action: text("What happened, such as `resolved`."),
  installation: listed(Installation, "The installation of the tracker's integration."),
  data: listed(Data, "What the notification is about."),
  actor: listed(Actor, "Who caused the event.")
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
