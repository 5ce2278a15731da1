import { avatar, element, link, moment } from "./Dom.ts"
import { list, member, number, text } from "./Json.ts"
import { render, renderInline } from "./MarkdownView.ts"

/** A message of a channel, from the event `message.created`. */
export interface Message {
  readonly id: string
  readonly channelId: string
  readonly author: { readonly name: string; readonly userId: string; readonly isWebhook: boolean }
  readonly payload: unknown
  readonly createdAt: string
}

/** Reads the data of `message.created`. */
export const fromEvent = (data: unknown): Message => {
  const author = member(data, "author")
  return {
    id: text(data, "id"),
    channelId: text(data, "channel_id"),
    author: {
      name: text(author, "name"),
      userId: text(author, "user_id"),
      isWebhook: text(author, "type") === "webhook"
    },
    payload: member(data, "payload"),
    createdAt: text(data, "created_at")
  }
}

const titled = (title: string, url: string): Node => url === "" ? renderInline(title) : link(url, renderInline(title))

const fieldView = (field: unknown): HTMLElement =>
  element(
    "div",
    member(field, "inline") === true ? "" : "wide",
    element("dt", "", renderInline(text(field, "name"))),
    element("dd", "", render(text(field, "value"), ""))
  )

const mediaLinks = (embed: unknown): ReadonlyArray<Node> =>
  (["image", "video", "audio"] as const).flatMap((kind) => {
    const url = text(member(embed, kind), "url")
    // Shown as a link: this page loads nothing from other servers.
    return url === "" ? [] : [element("p", "embed-text", link(url, `Open ${kind}`))]
  })

const footView = (embed: unknown): ReadonlyArray<Node> => {
  const foot = text(member(embed, "footer"), "text")
  const at = text(embed, "timestamp")
  const parts = [...(foot === "" ? [] : [foot]), ...(at === "" ? [] : [moment(at, "")])]
  return parts.length === 0
    ? []
    : [element("p", "embed-foot", ...parts.flatMap((part, index) => index === 0 ? [part] : [" · ", part]))]
}

const authorView = (name: string, url: string): Node => url === "" ? document.createTextNode(name) : link(url, name)

const embedView = (embed: unknown): HTMLElement => {
  const author = member(embed, "author")
  const title = text(embed, "title")
  const description = text(embed, "description")
  const fields = list(embed, "fields")
  const made = element(
    "div",
    "embed",
    ...(text(author, "name") === ""
      ? []
      : [element("p", "embed-author", authorView(text(author, "name"), text(author, "url")))]),
    ...(title === "" ? [] : [element("p", "embed-title", titled(title, text(embed, "url")))]),
    ...(description === "" ? [] : [render(description, "embed-text")]),
    ...(fields.length === 0 ? [] : [element("dl", "fields", ...fields.map(fieldView))]),
    ...mediaLinks(embed),
    ...footView(embed)
  )
  const colour = number(embed, "color")
  if (colour !== undefined) made.style.borderLeftColor = `#${(colour & 0xffffff).toString(16).padStart(6, "0")}`
  return made
}

/** Renders a message. */
export const view = ({ author, createdAt, payload }: Message, name: string): HTMLElement => {
  const content = text(payload, "content")
  return element(
    "article",
    "message",
    avatar(name),
    element(
      "div",
      "message-head",
      element("span", "author", name),
      ...(author.isWebhook ? [element("span", "badge", "APP")] : []),
      moment(createdAt, "subtle")
    ),
    element(
      "div",
      "body",
      ...(content === "" ? [] : [render(content, "")]),
      ...list(payload, "embeds").map(embedView)
    )
  )
}
