import type { Client } from "@community-messaging/client/Client"
import { ApiError } from "@community-messaging/client/ClientError"
import type { GuildMember, MemberSearchResult } from "@community-messaging/client/Resources"
import { reasonOf } from "./DemoServer.ts"
import { avatar, byId, element } from "./Dom.ts"
import { nameOf } from "./MemberNames.ts"
import type { PageFacts } from "./PageFacts.d.ts"

const SHOWN = 5

/** How long to wait for the next letter, in milliseconds. */
const DEBOUNCE_MILLIS = 120

/** How long to wait after a failure for which the server names no time, in seconds. */
const SECONDS_TO_WAIT = 5

const row = (member: GuildMember): HTMLLIElement =>
  element(
    "li",
    "row",
    avatar(nameOf(member)),
    element(
      "span",
      "what",
      element("bdi", "", nameOf(member)),
      element(
        "span",
        "subtle",
        element("bdi", "", member.username),
        `, since ${new Date(member.joined_at * 1000).getFullYear()}`
      )
    ),
    ...(member.is_bot ? [element("span", "badge", "APP")] : [])
  )

const summary = ({ members, total_result_count: total }: MemberSearchResult): string => {
  if (total === 0) return "No member matches."
  const counted = `${total.toLocaleString()} ${total === 1 ? "member" : "members"}`
  return total > members.length ? `${counted}, ${members.length} shown` : counted
}

/** Searches while the user types. A newer search ends an older one. */
export class MemberSearch {
  readonly #client: Client
  readonly #guildId: string
  readonly #input = byId("query", HTMLInputElement)
  readonly #rows = byId("members", HTMLUListElement)
  readonly #total = byId("total", HTMLParagraphElement)
  #running = new AbortController()
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client, { guild }: PageFacts) {
    this.#client = client
    this.#guildId = guild.id
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
      const found = await this.#client.guildMembers.search(
        {
          path: { guild_id: this.#guildId },
          body: { query, limit: SHOWN, sort_by: query === "" ? "joinedAt" : "relevance" }
        },
        { signal: running.signal, retries: 0 }
      )
      if (running.signal.aborted) return
      this.#rows.replaceChildren(...found.members.map(row))
      this.#total.textContent = summary(found)
    } catch (cause) {
      if (running.signal.aborted) return
      this.#total.textContent = reasonOf(cause)
      this.refresh(((cause instanceof ApiError ? cause.retryAfter : null) ?? SECONDS_TO_WAIT) * 1000)
    }
  }
}
