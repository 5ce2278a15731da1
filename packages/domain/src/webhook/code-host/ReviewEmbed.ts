import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { COLOUR } from "./Colour.ts"
import { headingAbout, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** The title and colour of a review, by its state. */
const verdict = (state: string): { readonly what: string; readonly colour: number } => {
  switch (state.toLowerCase()) {
    case "approved":
      return { what: "Pull request approved", colour: COLOUR.good }
    case "changes_requested":
      return { what: "Changes requested on pull request", colour: COLOUR.attention }
    case "dismissed":
      return { what: "Review dismissed on pull request", colour: COLOUR.inactive }
    default:
      return { what: "New review on pull request", colour: COLOUR.comment }
  }
}

/** A review of a pull request was submitted. */
export const reviewEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(
    Option.filter(notification.review, () => textOf(notification.action) === "submitted"),
    (review) => {
      const { colour, what } = verdict(textOf(review.state))
      return renderEmbed(notification, {
        title: headingAbout(what, notification.pullRequest),
        url: review.url,
        colour,
        description: renderBody(review)
      })
    }
  )
