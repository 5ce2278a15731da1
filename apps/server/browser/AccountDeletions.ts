import { type Facts, send } from "./Api.ts"
import { countdown } from "./Countdown.ts"
import { byId, element, moment } from "./Dom.ts"
import { text } from "./Json.ts"

/** The scheduled deletions of accounts, from the events. */
export class AccountDeletions {
  readonly #facts: Facts
  readonly #nameOf: (userId: string) => Promise<string>
  readonly #due = new Map<string, string>()
  readonly #rows = byId("deletions", HTMLUListElement)
  readonly #note = byId("deletions-note", HTMLParagraphElement)
  readonly #button = byId("delete", HTMLButtonElement)
  #shown = Promise.resolve()

  constructor(facts: Facts, nameOf: (userId: string) => Promise<string>) {
    this.#facts = facts
    this.#nameOf = nameOf
    this.#button.addEventListener("click", () => void this.#schedule())
  }

  /** Applies an event. */
  apply(type: string, data: unknown): void {
    const userId = text(data, "user_id")
    if (type === "user.deletion_scheduled") this.#due.set(userId, text(data, "pending_deletion_at"))
    else if (type === "user.deletion_cancelled" || type === "user.deleted") this.#due.delete(userId)
    else return
    this.#shown = this.#shown.then(() => this.#show())
  }

  async #schedule(): Promise<void> {
    this.#button.disabled = true
    await this.#attempt(send({
      method: "POST",
      path: "v1/admin/users/schedule-deletion",
      authorization: `Admin ${this.#facts.adminKey}`,
      body: { user_id: this.#facts.userId, reason_code: 1, public_reason: "At their own wish", days_until_deletion: 14 }
    }))
    this.#button.disabled = false
  }

  async #attempt(request: Promise<unknown>): Promise<void> {
    await request.catch((cause: unknown) => {
      this.#note.textContent = cause instanceof Error ? cause.message : "That failed."
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
      void this.#attempt(send({ method: "POST", path: `demo/cancel-deletion?${query}` }))
    })
    const when = element("span", "when", countdown(at), moment(at, "subtle", "day"))
    return element("li", "row item", element("div", "what", element("bdi", "", name), when), cancel)
  }
}
