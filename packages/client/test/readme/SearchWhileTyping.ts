import { createClient } from "@community-messaging/client/Client"

const PAGE = 10

/** Returns a search that aborts the previous one, because its result is no longer needed. */
export const memberSearch = (baseUrl: string, bot: string, guildId: string) => {
  const client = createClient({ baseUrl, credentials: { bot }, timeout: 5000 })
  let current = new AbortController()
  return async (query: string) => {
    current.abort()
    current = new AbortController()
    const { members } = await client.guildMembers.search(
      { path: { guild_id: guildId }, body: { query, sort_by: "relevance", limit: PAGE } },
      { signal: current.signal }
    )
    return members.map(({ global_name, username }) => global_name ?? username)
  }
}
