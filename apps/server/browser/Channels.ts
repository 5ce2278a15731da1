import type { Message } from "@community-messaging/client/Resources"
import { byId, element } from "./Dom.ts"
import { view } from "./MessageView.ts"
import type { PageFacts } from "./PageFacts.d.ts"

/** How many messages of a channel are kept. */
const KEPT = 200

/** How many of the messages that arrive between two frames of the screen are kept. */
const KEPT_ARRIVED = 1_000

/** After this time without an event, all past events have arrived. In milliseconds. */
const QUIET_MILLIS = 500

/** The distance from the end within which a reader follows new messages, in pixels. */
const NEAR_END = 120

const TOPICS: ReadonlyMap<string, string> = new Map([
  ["builds", "Messages of the webhook"],
  ["town-square", "Scheduled messages"]
])

/** A channel with its messages, the oldest first. */
interface Channel {
  readonly id: string
  readonly name: string
  readonly button: HTMLButtonElement
  messages: ReadonlyArray<Message>
  unread: number
}

/** The channels, and the messages of one of them. */
export class Channels {
  readonly #channels: ReadonlyMap<string, Channel>
  readonly #nameOf: (message: Message) => Promise<string>
  readonly #log = byId("log", HTMLDivElement)
  readonly #box = byId("messages", HTMLDivElement)
  #shown: string
  /** Whether the arriving events are past ones. */
  #isPast = true
  #arrived: ReadonlyArray<Message> = []
  #isDelivering = false
  #quiet: ReturnType<typeof setTimeout> | undefined
  #rendered = Promise.resolve()

  constructor({ channel_id: channelId, channels }: PageFacts, nameOf: (message: Message) => Promise<string>) {
    this.#nameOf = nameOf
    this.#shown = channelId
    this.#channels = new Map(channels.map(({ id, name }) => {
      const button = element("button", "")
      button.type = "button"
      button.addEventListener("click", () => this.show(id))
      return [id, { id, name, button, messages: [], unread: 0 }]
    }))
    byId("channels", HTMLUListElement).replaceChildren(
      ...Array.from(this.#channels.values(), ({ button }) => element("li", "", button))
    )
    this.show(channelId)
  }

  /** Call it when the connection opens, and for each event: events are past ones until none arrives for a while. */
  settle(): void {
    if (!this.#isPast) return
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => {
      this.#isPast = false
      this.#log.ariaLive = "polite"
    }, QUIET_MILLIS)
  }

  /** Adds a message. Many that arrive at once are shown at once. */
  add(message: Message): void {
    this.#arrived = [...this.#arrived, message].slice(-KEPT_ARRIVED)
    if (!this.#isDelivering) requestAnimationFrame(() => this.#deliver())
    this.#isDelivering = true
  }

  /** Shows another channel. */
  show(id: string): void {
    const channel = this.#channels.get(id)
    if (channel === undefined) return
    this.#shown = id
    channel.unread = 0
    byId("channel-name", HTMLHeadingElement).textContent = `# ${channel.name}`
    byId("channel-topic", HTMLParagraphElement).textContent = TOPICS.get(channel.name) ?? ""
    this.#updateButtons()
    this.#render("another channel")
  }

  #deliver(): void {
    this.#isDelivering = false
    for (const message of this.#arrived) {
      const channel = this.#channels.get(message.channel_id)
      if (channel === undefined) continue
      channel.messages = [...channel.messages, message].slice(-KEPT)
      if (!this.#isPast && channel.id !== this.#shown) channel.unread += 1
    }
    this.#arrived = []
    this.#updateButtons()
    this.#render("new messages")
  }

  /** Renders one after another, so that messages stay in their order. */
  #render(reason: "another channel" | "new messages"): void {
    const before = this.#rendered
    this.#rendered = before.then(() => this.#renderNow(reason))
  }

  async #renderNow(reason: "another channel" | "new messages"): Promise<void> {
    const channel = this.#channels.get(this.#shown)
    if (channel === undefined) return
    const { messages } = channel
    const names = await Promise.all(messages.map(this.#nameOf))
    if (this.#shown !== channel.id) return
    const box = this.#box
    const isFollowing = reason === "another channel" || box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END
    const isNew = reason === "new messages" && !this.#isPast
    // Earlier messages are not read out when they are shown again.
    this.#log.ariaLive = isNew ? "polite" : "off"
    const wanted = new Set(messages.map(({ id }) => id))
    for (const shown of this.#log.querySelectorAll<HTMLElement>(":scope > article")) {
      if (!wanted.has(shown.dataset["id"] ?? "")) shown.remove()
      else wanted.delete(shown.dataset["id"] ?? "")
    }
    for (const [index, message] of messages.entries()) {
      if (!wanted.has(message.id)) continue
      const made = view(message, names[index] ?? "")
      made.dataset["id"] = message.id
      if (isNew) made.classList.add("new")
      this.#log.append(made)
    }
    byId("empty", HTMLParagraphElement).hidden = messages.length > 0
    if (isFollowing) box.scrollTop = box.scrollHeight
  }

  #updateButtons(): void {
    for (const { button, id, name, unread } of this.#channels.values()) {
      button.ariaCurrent = id === this.#shown ? "true" : null
      const count = element("span", "count", String(unread), element("span", "hidden", " unread"))
      button.replaceChildren(`# ${name}`, ...(unread === 0 ? [] : [count]))
    }
  }
}
