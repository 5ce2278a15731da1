import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { EMPTY } from "../Markdown.ts"
import { COLOUR } from "./Colour.ts"
import { heading, reference, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** An issue was opened, closed or reopened. */
export const issueEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.flatMap(notification.issue, (issue) => {
    const changed = (what: string, colour: number, description = EMPTY) =>
      Option.some(
        renderEmbed(notification, { title: heading(what, reference(issue)), url: issue.url, colour, description })
      )
    switch (textOf(notification.action)) {
      case "opened":
        return changed("Issue opened", COLOUR.good, renderBody(issue))
      case "reopened":
        return changed("Issue reopened", COLOUR.good)
      case "closed":
        return textOf(issue.stateReason) === "not_planned"
          ? changed("Issue closed as not planned", COLOUR.inactive)
          : changed("Issue closed", COLOUR.done)
      default:
        return Option.none()
    }
  })
