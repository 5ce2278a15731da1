import { type Guild, GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import * as Command from "@effect/cli/Command"
import { Console, Effect, Option } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { idArgument, jsonFlag } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as Page from "./Page.ts"
import { table } from "./Table.ts"

const toJson = ({ id, name, ownerId }: Guild) => ({ id, name, owner_id: ownerId })

const list = DataCommand.onExisting(
  "list",
  { ...Page.ascending(GuildId), json: jsonFlag },
  ({ after, json, limit }) =>
    Effect.gen(function*() {
      const guilds = yield* GuildRepository
      const page = yield* Page.read(limit, (size) => guilds.list({ after, limit: size }))
      yield* Page.print(page, {
        json,
        toJson,
        columns: ["ID", "NAME", "OWNER"],
        row: ({ id, name, ownerId }) => [id, name, ownerId],
        empty: "There is no such guild."
      })
    })
).pipe(Command.withDescription("List guilds."))

const show = DataCommand.onExisting("show", {
  id: idArgument(GuildId, "Id of the guild."),
  json: jsonFlag
}, ({ id, json }) =>
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const guild = Option.getOrUndefined(yield* guilds.find(id))
    if (guild === undefined) return yield* new CommandFailed({ message: `there is no guild ${id}` })
    const channels = (yield* guilds.channels(id)).map((channel) => ({ id: channel.id, name: channel.name }))
    if (json) return yield* Json.print({ ...toJson(guild), channels })
    yield* Console.log(table([["id", guild.id], ["name", guild.name], ["owner", guild.ownerId]]))
    yield* Console.log(
      table([["", ""], ["CHANNEL", "NAME"], ...channels.map(({ id: channel, name }) => [channel, name])])
    )
  })).pipe(Command.withDescription("Show a guild and its channels."))

/** The commands `guild list` and `guild show`. */
export const command = Command.make("guild").pipe(
  Command.withDescription("List guilds and their channels."),
  CommandTree.withSubcommands([list, show])
)
