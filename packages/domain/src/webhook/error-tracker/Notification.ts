import { Schema } from "effect"
import { optionalField } from "../../shared-kernel/OptionalField.ts"

const text = optionalField(Schema.String)

/** An issue: errors that count as the same. `eventCount` and `userCount` are decimal numbers as the tracker writes them. */
export const Issue = Schema.Struct({
  shortId: text,
  title: text,
  url: text,
  level: text,
  /** More about the status: `regressed`, `escalating` and others. */
  substatus: text,
  projectName: text,
  culprit: text,
  /** Of the error itself: its class and its message. */
  errorType: text,
  errorValue: text,
  eventCount: text,
  userCount: text,
  assignee: text
}).annotations({ identifier: "ErrorTrackerIssue" })
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/** Who made the tracker tell; not a person when `type` is `application`. */
export const Actor = Schema.Struct({ name: text, type: text }).annotations({ identifier: "ErrorTrackerActor" })
export interface Actor extends Schema.Schema.Type<typeof Actor> {}

/**
 * A notification by an error tracker, as far as messages read it (API reference, Execute error-tracking webhook; API
 * gaps, Notifications and webhooks). Texts and URLs are as the third party sent them.
 */
export const Notification = Schema.Struct({
  action: text,
  issue: optionalField(Issue),
  actor: optionalField(Actor)
}).annotations({ identifier: "ErrorTrackerNotification" })
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
