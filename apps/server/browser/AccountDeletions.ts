import type { Client } from "@community-messaging/client/Client"
import type {
  UserDeletedEvent,
  UserDeletionCancelledEvent,
  UserDeletionScheduledEvent
} from "@community-messaging/client/Resources"
import { countdown } from "./Countdown.ts"
import { post, reasonOf } from "./DemoServer.ts"
import { byId, element, moment } from "./Dom.ts"
import type { PageFacts } from "./PageFacts.d.ts"

/** The scheduled deletions of accounts, from the events. */
export class AccountDeletions {
  readonly #client: Client
  readonly #userId: string
  readonly #nameOf: (userId: string) => Promise<string>
  readonly #due = new Map<string, string>()
  readonly #rows = byId("deletions", HTMLUListElement)
  readonly #note = byId("deletions-note", HTMLParagraphElement)
  readonly #button = byId("delete", HTMLButtonElement)
  #shown = Promise.resolve()

  constructor(client: Client, { user_id: userId }: PageFacts, nameOf: (userId: string) => Promise<string>) {
    this.#client = client
    this.#userId = userId
    this.#nameOf = nameOf
    this.#button.addEventListener("click", () => void this.#schedule())
  }

  /** Applies an event. */
  apply({ data, type }: UserDeletionScheduledEvent | UserDeletionCancelledEvent | UserDeletedEvent): void {
    if (type === "user.deletion_scheduled") this.#due.set(data.user_id, data.pending_deletion_at)
    else this.#due.delete(data.user_id)
    this.#shown = this.#shown.then(() => this.#show())
  }

  async #schedule(): Promise<void> {
    this.#button.disabled = true
    await this.#attempt(this.#client.administration.scheduleDeletion({
      body: { user_id: this.#userId, reason_code: 1, public_reason: "At their own wish", days_until_deletion: 14 }
    }))
    this.#button.disabled = false
  }

  async #attempt(request: Promise<unknown>): Promise<void> {
    await request.catch((cause: unknown) => {
      this.#note.textContent = reasonOf(cause)
    })
  }

  /** Shows the present state, after earlier calls: names of accounts arrive in any order. */
  async #show(): Promise<void> {
    const due = Array.from(this.#due).toSorted(([, one], [, other]) => one.localeCompare(other))
    const names = await Promise.all(due.map(([userId]) => this.#nameOf(userId)))
    this.#rows.replaceChildren(...due.map(([userId, at], index) => this.#row(userId, names[index] ?? userId, at)))
    this.#note.textContent = due.length === 0
      ? "No deletion is scheduled."
      : "Until then, the account's tokens do not work, and cancelling restores everything."
  }

  #row(userId: string, name: string, at: string): HTMLLIElement {
    const cancel = element("button", "", "Cancel")
    cancel.type = "button"
    cancel.ariaLabel = `Cancel the deletion of ${name}`
    cancel.addEventListener("click", () => {
      const query = new URLSearchParams({ user_id: userId })
      void this.#attempt(post(`demo/cancel-deletion?${query}`))
    })
    const when = element("span", "when", countdown(at), moment(at, "subtle", "day"))
    return element("li", "row item", element("div", "what", element("bdi", "", name), when), cancel)
  }
}
