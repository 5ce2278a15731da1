import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { code } from "../Markdown.ts"
import { field, MAX_FIELD_VALUE_LENGTH } from "../RichEmbed.ts"
import { COLOUR } from "./Colour.ts"
import { headingAbout, isCreation, renderBody, renderEmbed, shortHash, textOf } from "./EventEmbed.ts"
import type { Comment, Notification } from "./Notification.ts"

const newComment = (
  notification: Notification,
  title: (comment: Comment) => string,
  fields: (comment: Comment) => ReturnType<typeof field> = () => []
): Option.Option<Embed> =>
  Option.map(
    Option.filter(notification.comment, () => isCreation(notification)),
    (comment) =>
      renderEmbed(notification, {
        title: title(comment),
        url: comment.url,
        colour: COLOUR.comment,
        description: renderBody(comment),
        fields: fields(comment)
      })
  )

const fileOf = ({ path }: Comment) => field("File", code(textOf(path), MAX_FIELD_VALUE_LENGTH), { inline: false })

/** A user commented on a commit. */
export const commitCommentEmbed = (notification: Notification): Option.Option<Embed> =>
  newComment(notification, ({ commitId }) => `New comment on commit ${shortHash(commitId)}`, fileOf)

/** A user commented on an issue or on a pull request, but not on a line of it. */
export const issueCommentEmbed = (notification: Notification): Option.Option<Embed> => {
  const isPullRequest = Option.exists(notification.issue, (issue) => issue.isPullRequest)
  const what = isPullRequest ? "New comment on pull request" : "New comment on issue"
  // Unlike for other comments, no action makes no message.
  return textOf(notification.action) === ""
    ? Option.none()
    : newComment(notification, () => headingAbout(what, notification.issue))
}

/** A user commented on a line of a pull request. */
export const reviewCommentEmbed = (notification: Notification): Option.Option<Embed> =>
  newComment(notification, () => headingAbout("New review comment on pull request", notification.pullRequest), fileOf)

/** A user commented on a discussion. */
export const discussionCommentEmbed = (notification: Notification): Option.Option<Embed> =>
  newComment(notification, () => headingAbout("New comment on discussion", notification.discussion))
