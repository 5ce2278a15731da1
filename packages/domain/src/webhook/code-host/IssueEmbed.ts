import { textOf } from "../NotificationField.ts"
import { COLOUR } from "./Colour.ts"
import { about, changed, renderBody } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

const issueOf = ({ issue }: Notification) => issue

/** An issue was opened. */
export const issueOpenedEmbed = about(issueOf, (issue) => ({
  ...changed("Issue opened", COLOUR.good, issue),
  description: renderBody(issue)
}))

/** An issue was reopened. */
export const issueReopenedEmbed = about(issueOf, (issue) => changed("Issue reopened", COLOUR.good, issue))

/** An issue was closed. */
export const issueClosedEmbed = about(issueOf, (issue) =>
  textOf(issue.state_reason) === "not_planned"
    ? changed("Issue closed as not planned", COLOUR.inactive, issue)
    : changed("Issue closed", COLOUR.done, issue))
