import { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { Effect, Option, Schema, Stream } from "effect"
import { invalid } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of a guild. */
const GuildRecord = RecordSchema.make(Guild)

const same = Schema.equivalence(Guild)

const save = (guild: Guild) =>
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const references = yield* References.References
    yield* References.requireAll([references.user("owner_id", guild.ownerId)])
    // The `@everyone` role has the id of its guild.
    if (Option.exists(yield* guilds.findRole(RoleId.make(guild.id)), ({ guildId }) => guildId !== guild.id)) {
      return yield* invalid("id", "is the id of a role of another guild")
    }
    return yield* RecordKind.outcome(yield* guilds.find(guild.id), guild, same, () => guilds.save(guild))
  })

/** Streams all guilds. */
export const guilds = Stream.unwrap(
  Effect.map(GuildRepository, ({ list }) => RecordKind.pages(list, ({ id }) => id))
)

/** The record kind of guilds. */
export const kind = RecordKind.make({
  kind: "guild",
  schema: GuildRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.succeed(guilds)
})
