import { Effect } from "effect"
import { send } from "./Exchange.ts"
import * as Given from "./Given.ts"

/** A search by a bot that owns a guild. */
export const searching = Effect.map(Given.botWithGuild, ({ guild, token }) => ({
  token,
  path: `/v1/guilds/${guild.id}/members-search`,
  search: (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body, headers })
}))
