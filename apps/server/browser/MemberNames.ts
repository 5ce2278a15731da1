import type { Client } from "@community-messaging/client/Client"
import type { GuildMember } from "@community-messaging/client/Resources"
import type { PageFacts } from "./PageFacts.d.ts"

/** The name of a member in the guild. */
export const nameOf = ({ global_name, nickname, username }: GuildMember): string => nickname ?? global_name ?? username

/** Finds the names of accounts, each once, by the ids of the accounts. */
export class MemberNames {
  readonly #client: Client
  readonly #guildId: string
  readonly #names = new Map<string, Promise<string>>()

  constructor(client: Client, { guild }: PageFacts) {
    this.#client = client
    this.#guildId = guild.id
  }

  /** Returns the name, or the id of an account that is not a member. */
  of(userId: string): Promise<string> {
    const known = this.#names.get(userId)
    if (known !== undefined) return known
    const search = this.#client.guildMembers.search({
      path: { guild_id: this.#guildId },
      body: { query: userId, sort_by: "relevance", limit: 1 }
    })
    const name = search.then(
      ({ members }) => members.filter((member) => member.user_id === userId).map(nameOf).at(0) ?? userId,
      () => {
        this.#names.delete(userId)
        return userId
      }
    )
    this.#names.set(userId, name)
    return name
  }
}
