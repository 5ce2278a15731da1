import { type Facts, type Member, type Members, RequestFailed, searchMembers } from "./Api.ts"
import { avatar, byId, element } from "./Dom.ts"

const SHOWN = 5

/** How long to wait for the next letter, in milliseconds. */
const DEBOUNCE_MILLIS = 120

const row = ({ isBot, joinedAt, name, username }: Member): HTMLLIElement =>
  element(
    "li",
    "row",
    avatar(name),
    element(
      "span",
      "what",
      element("bdi", "", name),
      element("span", "subtle", element("bdi", "", username), `, since ${joinedAt.getFullYear()}`)
    ),
    ...(isBot ? [element("span", "badge", "APP")] : [])
  )

const summary = ({ members, total }: Members): string => {
  if (total === 0) return "No member matches."
  const counted = `${total.toLocaleString()} ${total === 1 ? "member" : "members"}`
  return total > members.length ? `${counted}, ${members.length} shown` : counted
}

/** Searches while the user types. A newer search ends an older one. */
export class MemberSearch {
  readonly #facts: Facts
  readonly #input = byId("query", HTMLInputElement)
  readonly #rows = byId("members", HTMLUListElement)
  readonly #total = byId("total", HTMLParagraphElement)
  #running = new AbortController()
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(facts: Facts) {
    this.#facts = facts
    this.#input.addEventListener("input", () => this.refresh(DEBOUNCE_MILLIS))
    byId("search", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault()
      this.refresh(0)
    })
    this.refresh(0)
  }

  /** Searches again after that many milliseconds, unless another call comes first. */
  refresh(millis: number): void {
    clearTimeout(this.#next)
    this.#next = setTimeout(() => void this.#search(), millis)
  }

  async #search(): Promise<void> {
    this.#running.abort()
    const running = new AbortController()
    this.#running = running
    const query = this.#input.value.trim()
    try {
      const found = await searchMembers(this.#facts, query, SHOWN, running.signal)
      if (running.signal.aborted) return
      this.#rows.replaceChildren(...found.members.map(row))
      this.#total.textContent = summary(found)
    } catch (cause) {
      if (running.signal.aborted) return
      this.#total.textContent = cause instanceof RequestFailed ? cause.message : String(cause)
      if (cause instanceof RequestFailed) this.refresh(cause.retryAfter * 1000)
    }
  }
}
