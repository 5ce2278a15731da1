import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { Effect, Option, Schema, Stream } from "effect"
import { guilds } from "./GuildRecord.ts"
import { invalid } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of a role. `permissions` is a decimal string, `managed_by` is the bot of a managed role. */
const RoleRecord = RecordSchema.make(Role)

const same = Schema.equivalence(Role)

const save = (role: Role) =>
  Effect.gen(function*() {
    const repository = yield* GuildRepository
    const references = yield* References.References
    yield* References.requireAll([
      references.guild("guild_id", role.guildId),
      References.whenGiven(role.managedBy, (id) => references.user("managed_by", id, { bot: true }))
    ])
    // The `@everyone` role has the id of its guild.
    if (role.id !== String(role.guildId) && Option.isSome(yield* repository.find(GuildId.make(role.id)))) {
      return yield* invalid("id", "is the id of another guild")
    }
    const existing = yield* repository.findRole(role.id)
    // Members of its guild have the role.
    if (Option.exists(existing, ({ guildId }) => guildId !== role.guildId)) {
      return yield* invalid("guild_id", "differs from the stored one: a role cannot move to another guild")
    }
    return yield* RecordKind.outcome(existing, role, same, () =>
      Effect.zipRight(
        repository.saveRole(role),
        Effect.sync(() => references.forgetRoles(role.guildId))
      ))
  })

/** The record kind of roles, exported guild by guild. */
export const kind = RecordKind.make({
  kind: "role",
  schema: RoleRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(
    GuildRepository,
    ({ roles }) => Stream.flatMap(guilds, (guild) => Stream.fromIterableEffect(roles(guild.id)))
  )
})
