import { line } from "../Markdown.ts"
import { textOf } from "../NotificationField.ts"
import { field, MAX_FIELD_VALUE_LENGTH } from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import { COLOUR } from "./Colour.ts"
import { about, heading, pageOf, reference, renderBody } from "./EventEmbed.ts"

/** A discussion was created. */
export const discussionCreatedEmbed = about(({ discussion }) => discussion, (discussion) => ({
  title: heading("New discussion", reference(discussion)),
  url: pageOf(discussion),
  colour: COLOUR.good,
  description: renderBody(discussion),
  fields: field("Category", line(textOf(discussion.category?.name), MAX_FIELD_VALUE_LENGTH), { inline: true })
}))

/** A discussion was answered. */
export const discussionAnsweredEmbed = about(({ discussion }) => discussion, (discussion, { answer }) => ({
  title: heading("Discussion answered", reference(discussion)),
  url: WebUrl.fromText(answer?.html_url ?? discussion.answer_html_url ?? discussion.html_url),
  colour: COLOUR.done,
  description: renderBody(answer ?? {}),
  fields: field("Answered by", line(textOf(answer?.user?.login), MAX_FIELD_VALUE_LENGTH), { inline: true })
}))
