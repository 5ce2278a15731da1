import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { code } from "../Markdown.ts"
import { field, MAX_FIELD_VALUE_LENGTH } from "../RichEmbed.ts"
import { COLOUR } from "./Colour.ts"
import { isCreation, renderBody, renderEmbed, shortHash, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** A user commented on a commit. */
export const commitCommentEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(
    Option.filter(notification.comment, () => isCreation(notification)),
    (comment) =>
      renderEmbed(notification, {
        title: `New comment on commit ${shortHash(comment.commitId)}`,
        url: comment.url,
        colour: COLOUR.comment,
        description: renderBody(comment),
        fields: field("File", code(textOf(comment.path), MAX_FIELD_VALUE_LENGTH), { inline: false })
      })
  )
