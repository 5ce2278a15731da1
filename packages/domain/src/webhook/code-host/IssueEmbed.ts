import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { EMPTY, type Markdown } from "../Markdown.ts"
import { COLOUR } from "./Colour.ts"
import { heading, reference, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Issue, Notification } from "./Notification.ts"

interface Change {
  readonly what: string
  readonly colour: number
  readonly description: Markdown
}

const changeOf = (action: string, issue: Issue): Option.Option<Change> => {
  switch (action) {
    case "opened":
      return Option.some({ what: "Issue opened", colour: COLOUR.good, description: renderBody(issue) })
    case "reopened":
      return Option.some({ what: "Issue reopened", colour: COLOUR.good, description: EMPTY })
    case "closed":
      return Option.some(
        textOf(issue.stateReason) === "not_planned"
          ? { what: "Issue closed as not planned", colour: COLOUR.inactive, description: EMPTY }
          : { what: "Issue closed", colour: COLOUR.done, description: EMPTY }
      )
    default:
      return Option.none()
  }
}

/** An issue was opened, closed or reopened. */
export const issueEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.flatMap(
    notification.issue,
    (issue) =>
      Option.map(changeOf(textOf(notification.action), issue), ({ colour, description, what }) =>
        renderEmbed(notification, { title: heading(what, reference(issue)), url: issue.url, colour, description }))
  )
