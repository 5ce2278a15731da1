import type { Embed, EmbedField, Message } from "@community-messaging/client/Resources"
import { avatar, element, link, moment } from "./Dom.ts"
import { render, renderInline } from "./MarkdownView.ts"

const titled = (title: string, url = ""): Node => url === "" ? renderInline(title) : link(url, renderInline(title))

const fieldView = ({ inline, name, value }: EmbedField): HTMLElement =>
  element(
    "div",
    inline === true ? "" : "wide",
    element("dt", "", renderInline(name ?? "")),
    element("dd", "", render(value ?? "", ""))
  )

const mediaLinks = (embed: Embed): ReadonlyArray<Node> =>
  (["image", "video", "audio"] as const).flatMap((kind) => {
    const url = embed[kind]?.url ?? ""
    // Shown as a link: this page loads nothing from other servers.
    return url === "" ? [] : [element("p", "embed-text", link(url, `Open ${kind}`))]
  })

const footView = ({ footer, timestamp: at = "" }: Embed): ReadonlyArray<Node> => {
  const foot = footer?.text ?? ""
  const parts = [...(foot === "" ? [] : [foot]), ...(at === "" ? [] : [moment(at, "")])]
  return parts.length === 0
    ? []
    : [element("p", "embed-foot", ...parts.flatMap((part, index) => index === 0 ? [part] : [" · ", part]))]
}

const authorView = (name: string, url = ""): Node => url === "" ? document.createTextNode(name) : link(url, name)

const embedView = (embed: Embed): HTMLElement => {
  const { author, color, description = "", fields = [], title = "", url } = embed
  const source = author?.name ?? ""
  const made = element(
    "div",
    "embed",
    ...(source === "" ? [] : [element("p", "embed-author", authorView(source, author?.url))]),
    ...(title === "" ? [] : [element("p", "embed-title", titled(title, url))]),
    ...(description === "" ? [] : [render(description, "embed-text")]),
    ...(fields.length === 0 ? [] : [element("dl", "fields", ...fields.map(fieldView))]),
    ...mediaLinks(embed),
    ...footView(embed)
  )
  if (color !== undefined) made.style.borderLeftColor = `#${(color & 0xffffff).toString(16).padStart(6, "0")}`
  return made
}

/** Renders a message. */
export const view = ({ author, created_at, payload }: Message, name: string): HTMLElement => {
  const content = payload.content ?? ""
  return element(
    "article",
    "message",
    avatar(name),
    element(
      "div",
      "message-head",
      element("span", "author", name),
      ...(author.type === "webhook" ? [element("span", "badge", "APP")] : []),
      moment(created_at, "subtle")
    ),
    element(
      "div",
      "body",
      ...(content === "" ? [] : [render(content, "")]),
      ...(payload.embeds ?? []).map(embedView)
    )
  )
}
