import { Effect, Redacted } from "effect"
import * as Fixtures from "./Fixtures.ts"
import { send } from "./HttpClient.ts"

/** A search by a bot that owns a guild. */
export const searching = Effect.map(Fixtures.botWithGuild, ({ credential, guild, token, user }) => {
  const path = `/v1/guilds/${guild.id}/members-search`
  return {
    credential,
    token,
    user,
    path,
    /** The first lines of the request, for tests that write bytes. */
    head: `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n`,
    search: (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
      send(path, { bot: token, body, headers })
  }
})
