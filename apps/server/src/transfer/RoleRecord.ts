import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { type Role, RoleId } from "@community-messaging/domain/guild/Role"
import { PermissionsFromString } from "@community-messaging/domain/Permissions"
import { Effect, Option, Schema, Stream } from "effect"
import { guilds } from "./GuildRecord.ts"
import { refuse } from "./InvalidRecord.ts"
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
    const existing = Option.fromNullable((yield* references.roles(role.guildId)).get(role.id))
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
