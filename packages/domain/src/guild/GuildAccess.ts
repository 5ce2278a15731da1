import { Context, Effect, Layer, Option } from "effect"
import type { UserId } from "../account/User.ts"
import * as Permissions from "../shared-kernel/Permissions.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { type Guild, type GuildId, UnknownGuild } from "./Guild.ts"
import { MissingGuildPermissions, ofMember } from "./GuildPermissions.ts"
import { MembershipRepository } from "./MembershipRepository.ts"

/** Checks what a caller may do in a guild. */
export class GuildAccess extends Context.Tag("@community-messaging/domain/GuildAccess")<GuildAccess, {
  /** Returns the guild if the user is a member who has all of the permissions (API gaps, Guild permissions). */
  readonly require: (
    userId: UserId,
    guildId: GuildId,
    permissions: Permissions.Permissions
  ) => Effect.Effect<Guild, UnknownGuild | MissingGuildPermissions | StorageError>
}>() {
  static readonly layer = Layer.effect(
    GuildAccess,
    Effect.gen(function*() {
      const memberships = yield* MembershipRepository
      return {
        require: Effect.fnUntraced(function*(userId, guildId, permissions) {
          const found = Option.getOrUndefined(yield* memberships.findWithRoles(guildId, userId))
          if (found === undefined) return yield* new UnknownGuild({ guildId })
          if (!Permissions.includes(ofMember(found), permissions)) {
            return yield* new MissingGuildPermissions({ guildId, userId })
          }
          return found.guild
        }, traced("GuildAccess.require"))
      }
    })
  )
}
