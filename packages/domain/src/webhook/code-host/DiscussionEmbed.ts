import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { EMPTY, line } from "../Markdown.ts"
import { field, MAX_FIELD_VALUE_LENGTH } from "../RichEmbed.ts"
import { COLOUR } from "./Colour.ts"
import { heading, reference, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** A discussion was created or answered. */
export const discussionEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.flatMap(notification.discussion, (discussion) => {
    switch (textOf(notification.action)) {
      case "created":
        return Option.some(renderEmbed(notification, {
          title: heading("New discussion", reference(discussion)),
          url: discussion.url,
          colour: COLOUR.good,
          description: renderBody(discussion),
          fields: field("Category", line(textOf(discussion.category), MAX_FIELD_VALUE_LENGTH), { inline: true })
        }))
      case "answered": {
        const { answer } = notification
        return Option.some(renderEmbed(notification, {
          title: heading("Discussion answered", reference(discussion)),
          url: Option.flatMap(answer, (_) => _.url).pipe(
            Option.orElse(() => discussion.answerUrl),
            Option.orElse(() => discussion.url)
          ),
          colour: COLOUR.done,
          description: Option.match(answer, { onNone: () => EMPTY, onSome: renderBody }),
          fields: field("Answered by", line(textOf(Option.flatMap(answer, (_) => _.author)), MAX_FIELD_VALUE_LENGTH), {
            inline: true
          })
        }))
      }
      default:
        return Option.none()
    }
  })
