import { Option, Record } from "effect"
import { textOf } from "../NotificationField.ts"
import { COLOUR } from "./Colour.ts"
import { about, headingAbout, pageOf, renderBody } from "./EventEmbed.ts"

/** What a review means, by its state. */
const VERDICT: Readonly<Record<string, { readonly what: string; readonly colour: number }>> = {
  approved: { what: "Pull request approved", colour: COLOUR.good },
  changes_requested: { what: "Changes requested on pull request", colour: COLOUR.attention },
  dismissed: { what: "Review dismissed on pull request", colour: COLOUR.inactive }
}

const OTHER_VERDICT = { what: "New review on pull request", colour: COLOUR.comment }

/** A review of a pull request was submitted. */
export const reviewEmbed = about(({ review }) => review, (review, notification) => {
  const { colour, what } = Option.getOrElse(
    Record.get(VERDICT, textOf(review.state).toLowerCase()),
    () => OTHER_VERDICT
  )
  return {
    title: headingAbout(what, notification.pull_request),
    url: pageOf(review),
    colour,
    description: renderBody(review)
  }
})
