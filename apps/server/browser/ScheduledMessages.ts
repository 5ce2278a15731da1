import type { Client } from "@community-messaging/client/Client"
import type { ScheduledMessage } from "@community-messaging/client/Resources"
import { countdown } from "./Countdown.ts"
import { post, reasonOf } from "./DemoServer.ts"
import { byId, element, moment } from "./Dom.ts"
import { renderInline } from "./MarkdownView.ts"
import type { PageFacts } from "./PageFacts.d.ts"

/** How long to wait for further changes before the list is read again, in milliseconds. */
const SETTLE_MILLIS = 50

/** The scheduled messages of the bot that are not delivered yet. */
export class ScheduledMessages {
  readonly #client: Client
  readonly #channels: PageFacts["channels"]
  readonly #rows = byId("scheduled", HTMLUListElement)
  readonly #note = byId("scheduled-note", HTMLParagraphElement)
  readonly #button = byId("schedule", HTMLButtonElement)
  #next: ReturnType<typeof setTimeout> | undefined
  #shown = Promise.resolve()

  constructor(client: Client, { channels }: PageFacts) {
    this.#client = client
    this.#channels = channels
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
    await this.#attempt(post("demo/schedule-message"), "The message is scheduled.")
    this.#button.disabled = false
  }

  async #attempt(request: Promise<unknown>, done: string): Promise<void> {
    this.#note.textContent = await request.then(
      () => done,
      reasonOf
    )
  }

  async #read(): Promise<void> {
    try {
      const messages = await this.#client.scheduledMessages.list()
      this.#rows.replaceChildren(...messages.map((message) => this.#row(message)))
    } catch (cause) {
      this.#note.textContent = reasonOf(cause)
    }
  }

  #row({ channel_id, id, payload, scheduled_at: at, status, status_reason }: ScheduledMessage): HTMLLIElement {
    const isWaiting = status === "scheduled" || status === "pending"
    const channel = this.#channels.find((known) => known.id === channel_id)
    const content = payload.content ?? ""
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
        : element("span", "when", element("span", "bad", status), status_reason ?? "")
    )
    const cancel = element("button", "", "Cancel")
    cancel.type = "button"
    cancel.ariaLabel = `Cancel: ${content}`
    cancel.addEventListener("click", () => {
      const query = new URLSearchParams({ id })
      void this.#attempt(post(`demo/cancel-message?${query}`), "The message is cancelled.")
    })
    return element("li", "row item", what, cancel)
  }
}
