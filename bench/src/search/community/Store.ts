import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Schema } from "effect"
import { fork } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { nextMessage, stop } from "../../http/Process.ts"

/** What to store, and where. */
export const StoreOrder = Schema.Struct({
  filename: Schema.String,
  /** The id of the large guild; a generated one by default. */
  guildId: Schema.optional(GuildId),
  /** The process generates the community again: that is faster than sending it. */
  members: Schema.Int,
  seed: Schema.Int,
  /** The number of guilds beside the large one, and the members of each. */
  smallGuilds: Schema.Int,
  smallGuild: Schema.Int
})
export type StoreOrder = typeof StoreOrder.Type

/** Makes a database of the service with the community, in a process of its own. */
export const store = async (order: StoreOrder): Promise<void> => {
  const program = fileURLToPath(new URL(`./StoringProcess${extname(import.meta.url)}`, import.meta.url))
  const child = fork(program, [JSON.stringify(order)], { execArgv: [] })
  try {
    await nextMessage(child)
  } finally {
    await stop(child)
  }
}
