import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { EMPTY } from "../Markdown.ts"
import { COLOUR } from "./Colour.ts"
import { heading, reference, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** A pull request was opened, closed, merged or reopened, or became ready for review. */
export const pullRequestEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.flatMap(notification.pullRequest, (pullRequest) => {
    const changed = (what: string, colour: number, description = EMPTY) =>
      Option.some(
        renderEmbed(notification, {
          title: heading(what, reference(pullRequest)),
          url: pullRequest.url,
          colour,
          description
        })
      )
    switch (textOf(notification.action)) {
      case "opened":
        return pullRequest.draft
          ? changed("Draft pull request opened", COLOUR.inactive, renderBody(pullRequest))
          : changed("Pull request opened", COLOUR.good, renderBody(pullRequest))
      case "ready_for_review":
        return changed("Pull request ready for review", COLOUR.good, renderBody(pullRequest))
      case "reopened":
        return changed("Pull request reopened", COLOUR.good)
      case "closed":
        return pullRequest.merged
          ? changed("Pull request merged", COLOUR.done)
          : changed("Pull request closed", COLOUR.bad)
      default:
        return Option.none()
    }
  })
