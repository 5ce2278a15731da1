import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { EMPTY, type Markdown } from "../Markdown.ts"
import { COLOUR } from "./Colour.ts"
import { heading, reference, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Notification, PullRequest } from "./Notification.ts"

interface Change {
  readonly what: string
  readonly colour: number
  readonly description: Markdown
}

const changeOf = (action: string, pullRequest: PullRequest): Option.Option<Change> => {
  const description = renderBody(pullRequest)
  switch (action) {
    case "opened":
      return Option.some(
        pullRequest.draft
          ? { what: "Draft pull request opened", colour: COLOUR.inactive, description }
          : { what: "Pull request opened", colour: COLOUR.good, description }
      )
    case "ready_for_review":
      return Option.some({ what: "Pull request ready for review", colour: COLOUR.good, description })
    case "reopened":
      return Option.some({ what: "Pull request reopened", colour: COLOUR.good, description: EMPTY })
    case "closed":
      return Option.some(
        pullRequest.merged
          ? { what: "Pull request merged", colour: COLOUR.done, description: EMPTY }
          : { what: "Pull request closed", colour: COLOUR.bad, description: EMPTY }
      )
    default:
      return Option.none()
  }
}

/** A pull request was opened, closed, merged or reopened, or became ready for review. */
export const pullRequestEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.flatMap(
    notification.pullRequest,
    (pullRequest) =>
      Option.map(changeOf(textOf(notification.action), pullRequest), ({ colour, description, what }) =>
        renderEmbed(notification, {
          title: heading(what, reference(pullRequest)),
          url: pullRequest.url,
          colour,
          description
        }))
  )
