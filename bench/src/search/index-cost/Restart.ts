import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Schema } from "effect"
import { fork } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { nextMessage, stop } from "../../http/Process.ts"

/** A guild to be searched, and who may do so. */
const AskedGuild = Schema.Struct({ guildId: GuildId, ownerId: UserId })
export type AskedGuild = typeof AskedGuild.Type

/** What a process of the service is told. */
export const RestartOrder = Schema.Struct({
  filename: Schema.String,
  /** Its first exact answer is waited for. */
  large: AskedGuild,
  /** These are searched all the while, so that the process is under load. */
  small: Schema.Array(AskedGuild)
})
export type RestartOrder = typeof RestartOrder.Type

/** What it found. Times are in milliseconds. */
export const Restarted = Schema.Struct({
  /** From the question to the first exact answer. */
  sinceAsked: Schema.Number,
  /** What the first search of each small guild took. */
  firstSearches: Schema.Array(Schema.Number),
  /** The longest turn of the event loop while the large guild was indexed, and in some time afterwards. */
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
