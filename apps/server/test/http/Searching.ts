import { Effect } from "effect"
import * as Fixtures from "./Fixtures.ts"
import { send } from "./HttpClient.ts"

/** A search by a bot that owns a guild. */
export const searching = Effect.map(Fixtures.botWithGuild, ({ guild, token, user }) => ({
  token,
  user,
  path: `/v1/guilds/${guild.id}/members-search`,
  search: (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body, headers })
}))
