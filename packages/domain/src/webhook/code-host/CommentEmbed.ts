import { code } from "../Markdown.ts"
import { textOf } from "../NotificationField.ts"
import { field, MAX_FIELD_VALUE_LENGTH } from "../RichEmbed.ts"
import { COLOUR } from "./Colour.ts"
import { about, headingAbout, pageOf, renderBody, shortHash } from "./EventEmbed.ts"
import type { Comment, Notification } from "./Notification.ts"

const newComment = (
  title: (comment: Comment, notification: Notification) => string,
  fields: (comment: Comment) => ReturnType<typeof field> = () => []
) =>
  about(({ comment }) => comment, (comment, notification) => ({
    title: title(comment, notification),
    url: pageOf(comment),
    colour: COLOUR.comment,
    description: renderBody(comment),
    fields: fields(comment)
  }))

const fileOf = ({ path }: Comment) => field("File", code(textOf(path), MAX_FIELD_VALUE_LENGTH), { inline: false })

/** A user commented on a commit. */
export const commitCommentEmbed = newComment(
  (comment) => `New comment on commit ${shortHash(comment.commit_id)}`,
  fileOf
)

/** A user commented on an issue or on a pull request, but not on a line of it. */
export const issueCommentEmbed = newComment((_, notification) =>
  headingAbout(
    notification.issue?.pull_request ? "New comment on pull request" : "New comment on issue",
    notification.issue
  )
)

/** A user commented on a line of a pull request. */
export const reviewCommentEmbed = newComment(
  (_, notification) => headingAbout("New review comment on pull request", notification.pull_request),
  fileOf
)

/** A user commented on a discussion. */
export const discussionCommentEmbed = newComment((_, { discussion }) =>
  headingAbout("New comment on discussion", discussion)
)
