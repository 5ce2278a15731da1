import { isDeleted, type User, type UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { Role, RoleId } from "@community-messaging/domain/guild/Role"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, Effect, Layer, Option } from "effect"
import type { Problem } from "./InvalidRecord.ts"

type Check = Effect.Effect<ReadonlyArray<Problem>, StorageError>

const NONE: ReadonlyArray<Problem> = []

/**
 * Checks whether the objects that a record refers to exist. There is one instance per import: it caches guilds and
 * roles, because most lines of a large file refer to them.
 */
export class References extends Context.Tag("@community-messaging/server/References")<References, {
  /** The account must exist. A tombstone is accepted, for records that outlive their account. */
  readonly user: (path: string, id: UserId) => Check
  /** The account must exist and must not be deleted. */
  readonly liveUser: (path: string, id: UserId) => Check
  /** The account must exist and be a bot. A tombstone is accepted. */
  readonly bot: (path: string, id: UserId) => Check
  /** The account must exist, be a bot, and not be deleted. */
  readonly liveBot: (path: string, id: UserId) => Check
  readonly guild: (path: string, id: GuildId) => Check
  /** The channel must exist and belong to the guild. */
  readonly channelOf: (path: string, id: ChannelId, guildId: GuildId) => Check
  /** The roles must exist and belong to the guild. */
  readonly rolesOf: (path: string, ids: ReadonlyArray<RoleId>, guildId: GuildId) => Check
  /** Returns the guild's roles by id. */
  readonly roles: (guildId: GuildId) => Effect.Effect<ReadonlyMap<RoleId, Role>, StorageError>
  /** Removes the guild's roles from the cache, after a role was written. */
  readonly forgetRoles: (guildId: GuildId) => void
}>() {
  static readonly layer = Layer.effect(
    References,
    Effect.gen(function*() {
      const users = yield* UserRepository
      const guilds = yield* GuildRepository
      const knownGuilds = new Set<GuildId>()
      const knownRoles = new Map<GuildId, ReadonlyMap<RoleId, Role>>()

      const account = (path: string, id: UserId, what: string, problem: (user: User) => Option.Option<string>): Check =>
        Effect.map(
          users.find(id),
          Option.match({
            onNone: () => [{ path, reason: `there is no ${what} ${id}` }],
            onSome: (user) => Option.toArray(Option.map(problem(user), (reason) => ({ path, reason })))
          })
        )

      const noBot = ({ bot, id }: User) => bot ? Option.none() : Option.some(`there is no bot account ${id}`)
      const wasDeleted = (user: User) =>
        isDeleted(user) ? Option.some(`the user ${user.id} was deleted`) : Option.none()

      const roles = (guildId: GuildId) =>
        Effect.gen(function*() {
          const known = knownRoles.get(guildId)
          if (known !== undefined) return known
          const byId: ReadonlyMap<RoleId, Role> = new Map(
            (yield* guilds.roles(guildId)).map((role) => [role.id, role] as const)
          )
          knownRoles.set(guildId, byId)
          return byId
        })

      return {
        user: (path, id) => account(path, id, "user", Option.none),
        liveUser: (path, id) => account(path, id, "user", wasDeleted),
        bot: (path, id) => account(path, id, "bot account", noBot),
        liveBot: (path, id) =>
          account(path, id, "bot account", (user) => Option.orElse(noBot(user), () => wasDeleted(user))),
        guild: (path, id) =>
          Effect.gen(function*() {
            if (knownGuilds.has(id)) return NONE
            if (Option.isNone(yield* guilds.find(id))) return [{ path, reason: `there is no guild ${id}` }]
            knownGuilds.add(id)
            return NONE
          }),
        channelOf: (path, id, guildId) =>
          Effect.map(guilds.findChannel(id), (found) =>
            Option.exists(found, (channel) => channel.guildId === guildId)
              ? NONE
              : [{ path, reason: `there is no channel ${id} in the guild ${guildId}` }]),
        rolesOf: (path, ids, guildId) =>
          ids.length === 0 ?
            Effect.succeed(NONE) :
            Effect.map(roles(guildId), (known) =>
              ids.flatMap((id, index) =>
                known.has(id)
                  ? []
                  : [{ path: `${path}.${index}`, reason: `there is no role ${id} in the guild ${guildId}` }]
              )),
        roles,
        forgetRoles: (guildId) => {
          knownRoles.delete(guildId)
        }
      }
    })
  )
}

/** Combines several checks. */
export const all = (checks: ReadonlyArray<Check>): Check => Effect.map(Effect.all(checks), (found) => found.flat())

/** The check of an optional value. */
export const whenGiven = <A>(value: Option.Option<A>, check: (value: A) => Check): Check =>
  Option.match(value, { onNone: () => Effect.succeed(NONE), onSome: check })
