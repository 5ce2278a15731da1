import { textOf } from "../NotificationField.ts"
import { COLOUR } from "./Colour.ts"
import { about, headingAbout, pageOf, renderBody } from "./EventEmbed.ts"

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
export const reviewEmbed = about(({ review }) => review, (review, notification) => {
  const { colour, what } = verdict(textOf(review.state))
  return {
    title: headingAbout(what, notification.pull_request),
    url: pageOf(review),
    colour,
    description: renderBody(review)
  }
})
