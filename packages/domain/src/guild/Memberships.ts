import { DateTime, Effect, Equal, HashSet, Option, Schema } from "effect"
import { requireAccount, type UnknownUser, UserId } from "../account/User.ts"
import { UserRepository } from "../account/UserRepository.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { GuildId, requireGuild, type UnknownGuild } from "./Guild.ts"
import { GuildRepository } from "./GuildRepository.ts"
import { MemberJoined, MemberLeft, MemberUpdated } from "./MemberEvents.ts"
import * as Membership from "./Membership.ts"
import { MembershipRepository } from "./MembershipRepository.ts"
import { RoleId } from "./Role.ts"

/** The role does not exist in the guild. */
export class UnknownRole
  extends Schema.TaggedError<UnknownRole>()("UnknownRole", { guildId: GuildId, roleId: RoleId })
{
  override get message(): string {
    return `There is no role ${this.roleId} in guild ${this.guildId}.`
  }
}

/** The owner of a guild cannot leave it. */
export class OwnerNotRemovable
  extends Schema.TaggedError<OwnerNotRemovable>()("OwnerNotRemovable", { guildId: GuildId, userId: UserId })
{
  override get message(): string {
    return `Account ${this.userId} owns guild ${this.guildId}, so it stays a member.`
  }
}

const same = Schema.equivalence(Membership.Membership)

/** Returns whether both have the same roles, in any order and any number. */
const haveSame = (one: ReadonlyArray<RoleId>, other: ReadonlyArray<RoleId>): boolean =>
  Equal.equals(HashSet.fromIterable(one), HashSet.fromIterable(other))

/** The use cases of memberships. Callers decide who may use them. */
export class Memberships extends UseCase<Memberships, {
  /**
   * Adds an account to a guild, or changes its nickname and roles there: missing values stay unchanged, and a change without
   * differences appends no event. Returns the membership.
   */
  readonly save: (
    guildId: GuildId,
    userId: UserId,
    changes: {
      readonly nickname?: Option.Option<string> | undefined
      readonly roleIds?: ReadonlyArray<RoleId> | undefined
    }
  ) => Effect.Effect<Membership.Membership, UnknownGuild | UnknownUser | UnknownRole | StorageError>
  /** Removes an account from a guild. Does nothing if it is not a member. */
  readonly remove: (guildId: GuildId, userId: UserId) => Effect.Effect<void, OwnerNotRemovable | StorageError>
}>()(
  "@community-messaging/domain/Memberships",
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const users = yield* UserRepository
    const events = yield* EventLog
    const { atomically, lock } = yield* UnitOfWork

    const requireRoles = Effect.fnUntraced(function*(guildId: GuildId, roleIds: ReadonlyArray<RoleId>) {
      if (roleIds.length === 0) return
      const roles = new Set((yield* guilds.roles(guildId)).map(({ id }) => id))
      const unknown = roleIds.find((id) => !roles.has(id))
      if (unknown !== undefined) return yield* new UnknownRole({ guildId, roleId: unknown })
    })

    return {
      save: Effect.fnUntraced(
        function*(guildId, userId, { nickname, roleIds }) {
          // The deletion of an account removes its memberships. One that is stored at the same time would stay.
          yield* lock({ kind: "account", id: userId })
          yield* requireGuild(guildId, yield* guilds.find(guildId))
          yield* requireAccount(userId, yield* users.find(userId))
          yield* requireRoles(guildId, roleIds ?? [])
          const before = yield* memberships.find(guildId, userId)
          const joinSourceType = Membership.JOIN_SOURCE_TYPE.addedByAdministrator
          const at = yield* DateTime.now
          const member = Option.getOrElse(before, () => Membership.join({ guildId, userId, joinSourceType, at }))
          const after: Membership.Membership = {
            ...member,
            nickname: nickname ?? member.nickname,
            roleIds: roleIds === undefined || haveSame(member.roleIds, roleIds)
              ? member.roleIds
              : Array.from(new Set(roleIds))
          }
          if (Option.exists(before, (unchanged) => same(unchanged, after))) return after
          yield* memberships.save(after)
          yield* events.append((Option.isSome(before) ? MemberUpdated : MemberJoined).of({ guildId, userId }))
          return after
        },
        atomically,
        traced("Memberships.save")
      ),
      remove: Effect.fnUntraced(
        function*(guildId, userId) {
          yield* lock({ kind: "account", id: userId })
          if (Option.isNone(yield* memberships.find(guildId, userId))) return
          if (Option.exists(yield* guilds.find(guildId), ({ ownerId }) => ownerId === userId)) {
            return yield* new OwnerNotRemovable({ guildId, userId })
          }
          yield* memberships.remove(guildId, userId)
          yield* events.append(MemberLeft.of({ guildId, userId }))
        },
        atomically,
        traced("Memberships.remove")
      )
    }
  })
) {}
