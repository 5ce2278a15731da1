import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { type Role, RoleId } from "@community-messaging/domain/guild/Role"
import { PermissionsFromString } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect, Option, Schema, Stream } from "effect"
import { guilds } from "./GuildRecord.ts"
import { invalid, refuse } from "./InvalidRecord.ts"
import { named, optionalNamed } from "./RecordField.ts"
import * as RecordKind from "./RecordKind.ts"
import * as References from "./References.ts"

/** A role as a line of a file; `permissions` is a decimal string, `managed_by` the bot of a managed role. */
export const RoleRecord = Schema.Struct({
  id: RoleId,
  guildId: named("guild_id", GuildId),
  name: Schema.NonEmptyString,
  permissions: PermissionsFromString,
  managedBy: optionalNamed("managed_by", UserId)
})

const same = Schema.equivalence(RoleRecord)

const keep = (role: Role) =>
  Effect.gen(function*() {
    const repository = yield* GuildRepository
    const references = yield* References.References
    yield* refuse(
      yield* References.all([
        references.guild("guild_id", role.guildId),
        References.whenGiven(role.managedBy, (id) => references.bot("managed_by", id))
      ])
    )
    // A role of everybody has the id of its guild.
    if (role.id !== String(role.guildId) && Option.isSome(yield* repository.find(GuildId.make(role.id)))) {
      return yield* invalid("id", "is that of a guild, whose role of everybody it is")
    }
    const existing = yield* repository.findRole(role.id)
    // Members of its guild hold it.
    if (Option.exists(existing, ({ guildId }) => guildId !== role.guildId)) {
      return yield* invalid("guild_id", "is another one here, and a role stays in its guild")
    }
    return yield* RecordKind.outcome(existing, role, same, () =>
      Effect.zipRight(
        repository.saveRole(role),
        Effect.sync(() => references.forgetRoles(role.guildId))
      ))
  })

/** Roles, guild by guild. */
export const kind = RecordKind.make({
  kind: "role",
  schema: RoleRecord,
  keep,
  all: Stream.unwrap(
    Effect.map(
      GuildRepository,
      ({ roles }) => Stream.flatMap(guilds, (guild) => Stream.fromIterableEffect(roles(guild.id)))
    )
  )
})
