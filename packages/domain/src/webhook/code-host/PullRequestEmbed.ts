import { COLOUR } from "./Colour.ts"
import { about, changed, renderBody } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

const pullRequestOf = (notification: Notification) => notification.pull_request

/** A pull request was opened. */
export const pullRequestOpenedEmbed = about(pullRequestOf, (it) => ({
  ...(it.draft === true
    ? changed("Draft pull request opened", COLOUR.inactive, it)
    : changed("Pull request opened", COLOUR.good, it)),
  description: renderBody(it)
}))

/** A pull request became ready for review. */
export const pullRequestReadyEmbed = about(pullRequestOf, (it) => ({
  ...changed("Pull request ready for review", COLOUR.good, it),
  description: renderBody(it)
}))

/** A pull request was reopened. */
export const pullRequestReopenedEmbed = about(pullRequestOf, (it) => changed("Pull request reopened", COLOUR.good, it))

/** A pull request was closed, and merged or not. */
export const pullRequestClosedEmbed = about(pullRequestOf, (it) =>
  it.merged === true
    ? changed("Pull request merged", COLOUR.done, it)
    : changed("Pull request closed", COLOUR.bad, it))
