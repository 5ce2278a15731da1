import { call, type Facts, send } from "./Api.ts"
import { countdown } from "./Countdown.ts"
import { byId, element, moment } from "./Dom.ts"
import { list, member, text } from "./Json.ts"
import { renderInline } from "./MarkdownView.ts"

/** How long to wait for further changes before the list is read again, in milliseconds. */
const SETTLE_MILLIS = 50

/** The scheduled messages of the bot that are not delivered yet. */
export class ScheduledMessages {
  readonly #facts: Facts
  readonly #rows = byId("scheduled", HTMLUListElement)
  readonly #note = byId("scheduled-note", HTMLParagraphElement)
  readonly #button = byId("schedule", HTMLButtonElement)
  #next: ReturnType<typeof setTimeout> | undefined
  #shown = Promise.resolve()

  constructor(facts: Facts) {
    this.#facts = facts
    this.#button.addEventListener("click", () => void this.#schedule())
    this.refresh()
  }

  /** Reads the list again, soon. */
  refresh(): void {
    clearTimeout(this.#next)
    this.#next = setTimeout(() => {
      // After the last read, so that a late answer does not replace a newer one.
      this.#shown = this.#shown.then(() => this.#read())
    }, SETTLE_MILLIS)
  }

  async #schedule(): Promise<void> {
    this.#button.disabled = true
    await this.#attempt(send({ method: "POST", path: "demo/schedule-message" }), "The message is scheduled.")
    this.#button.disabled = false
  }

  async #attempt(request: Promise<unknown>, done: string): Promise<void> {
    this.#note.textContent = await request.then(
      () => done,
      (cause: unknown) => cause instanceof Error ? cause.message : "That failed."
    )
  }

  async #read(): Promise<void> {
    try {
      const messages = await call({
        path: "v1/users/@me/scheduled-messages",
        authorization: `Bot ${this.#facts.botToken}`
      })
      const items = Array.isArray(messages) ? messages : list(messages, "scheduled_messages")
      this.#rows.replaceChildren(...items.map((message) => this.#row(message)))
    } catch (cause) {
      this.#note.textContent = cause instanceof Error ? cause.message : "That failed."
    }
  }

  #row(message: unknown): HTMLLIElement {
    const status = text(message, "status")
    const isWaiting = status === "scheduled" || status === "pending"
    const channel = this.#facts.channels.find(({ id }) => id === text(message, "channel_id"))
    const at = text(message, "scheduled_at")
    const content = text(member(message, "payload"), "content")
    const what = element("div", "what", element("span", "", renderInline(content)))
    what.append(
      isWaiting
        ? element(
          "span",
          "when",
          countdown(at),
          moment(at, "subtle", "day"),
          channel === undefined ? "" : `#${channel.name}`
        )
        : element("span", "when", element("span", "bad", status), text(message, "status_reason"))
    )
    const cancel = element("button", "", "Cancel")
    cancel.type = "button"
    cancel.ariaLabel = `Cancel: ${content}`
    cancel.addEventListener("click", () => {
      const query = new URLSearchParams({ id: text(message, "id") })
      void this.#attempt(send({ method: "POST", path: `demo/cancel-message?${query}` }), "The message is cancelled.")
    })
    return element("li", "row item", what, cancel)
  }
}
