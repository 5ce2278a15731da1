import { Schema } from "effect"
import { optionalField } from "../../shared-kernel/OptionalField.ts"

const text = optionalField(Schema.String)

/** An issue: a group of equal errors. `eventCount` and `userCount` are decimal numbers as the tracker writes them. */
export const Issue = Schema.Struct({
  shortId: text,
  title: text,
  url: text,
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

/** Who caused the notification. Not a person if `type` is `application`. */
export const Actor = Schema.Struct({ name: text, type: text }).annotations({ identifier: "ErrorTrackerActor" })
export interface Actor extends Schema.Schema.Type<typeof Actor> {}

/**
 * The fields of an error tracker's notification that messages use (API reference, Execute error-tracking webhook; API
 * gaps, Notifications and webhooks). Texts and URLs are as the third party sent them.
 */
export const Notification = Schema.Struct({
  action: text,
  issue: optionalField(Issue),
  actor: optionalField(Actor)
}).annotations({ identifier: "ErrorTrackerNotification" })
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
