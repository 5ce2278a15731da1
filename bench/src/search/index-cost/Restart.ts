import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Schema } from "effect"
import { fork } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { nextMessage, stop } from "../../http/Process.ts"

/** A guild, and a user who may search it. */
const SearchedGuild = Schema.Struct({ guildId: GuildId, ownerId: UserId })
export type SearchedGuild = typeof SearchedGuild.Type

/** The order for a process of the service. */
export const RestartOrder = Schema.Struct({
  filename: Schema.String,
  /** The process waits for its first exact answer. */
  large: SearchedGuild,
  /** The process searches these all the time, so that it is under load. */
  small: Schema.Array(SearchedGuild)
})
export type RestartOrder = typeof RestartOrder.Type

/** The result of the process. Times are in milliseconds. */
export const Restarted = Schema.Struct({
  /** From the first search to the first exact answer. */
  untilExact: Schema.Number,
  /** The time of the first search of each small guild. */
  firstSearches: Schema.Array(Schema.Number),
  /** The longest turn of the event loop while the large guild was indexed, and in a period afterwards. */
  longestHold: Schema.Number,
  longestHoldAfterwards: Schema.Number,
  /** Searches of small guilds that were answered meanwhile. */
  searchesMeanwhile: Schema.Array(Schema.Number)
})
export type Restarted = typeof Restarted.Type

const decode = Schema.decodeUnknownPromise(Restarted)

/** Starts the service on that database, in a process of its own. */
export const restart = async (order: RestartOrder): Promise<Restarted> => {
  const program = fileURLToPath(new URL(`./RestartedService${extname(import.meta.url)}`, import.meta.url))
  const child = fork(program, [JSON.stringify(order)], { execArgv: [] })
  try {
    return await decode(await nextMessage(child))
  } finally {
    await stop(child)
  }
}
