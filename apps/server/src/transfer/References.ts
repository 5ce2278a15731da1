import type { UserId } from "@community-messaging/domain/account/User"
import { type AccountStatus, UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { Role, RoleId } from "@community-messaging/domain/guild/Role"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, Effect, Layer, Option } from "effect"
import * as FoundObjects from "./FoundObjects.ts"
import type { Problem } from "./InvalidRecord.ts"

type Check = Effect.Effect<ReadonlyArray<Problem>, StorageError>

const NONE: ReadonlyArray<Problem> = []

/**
 * Checks whether the objects that a record refers to exist. There is one instance per import. It caches found objects until
 * the transaction ends, because nearby lines refer to the same objects.
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
  /** Looks up several accounts at once, to which records refer. */
  readonly prefetchUsers: (ids: ReadonlyArray<UserId>) => Effect.Effect<void, StorageError>
  readonly guild: (path: string, id: GuildId) => Check
  /** The channel must exist and belong to the guild. */
  readonly channelOf: (path: string, id: ChannelId, guildId: GuildId) => Check
  /** The roles must exist and belong to the guild. */
  readonly rolesOf: (path: string, ids: ReadonlyArray<RoleId>, guildId: GuildId) => Check
  /** Returns the guild's roles by id. */
  readonly roles: (guildId: GuildId) => Effect.Effect<ReadonlyMap<RoleId, Role>, StorageError>
  /** Forgets the guild's roles, after a role was written. */
  readonly forgetRoles: (guildId: GuildId) => void
  /** Forgets the account, after it was written. */
  readonly forgetUser: (id: UserId) => void
  /** Forgets everything: a transaction begins, and other processes may have changed it. */
  readonly begin: Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    References,
    Effect.gen(function*() {
      const users = yield* UserRepository
      const guilds = yield* GuildRepository
      const foundUsers = FoundObjects.make(users.findStatus, users.findStatuses)
      const foundGuilds = FoundObjects.make(guilds.find)
      const foundChannels = FoundObjects.make(guilds.findChannel)
      const foundRoles = FoundObjects.make((guildId: GuildId) =>
        Effect.map(guilds.roles(guildId), (all) => Option.some(new Map(all.map((role) => [role.id, role] as const))))
      )

      type Problems = (status: AccountStatus) => ReadonlyArray<string>

      const account = (path: string, id: UserId, what: string, problemsOf: Problems): Check =>
        Effect.map(foundUsers.find(id), (found) => {
          const reasons = Option.isSome(found) ? problemsOf(found.value) : [`there is no ${what} ${id}`]
          return reasons.length === 0 ? NONE : reasons.slice(0, 1).map((reason) => ({ path, reason }))
        })

      const noBot = (id: UserId): Problems => ({ bot }) => bot ? [] : [`there is no bot account ${id}`]
      const wasDeleted = (id: UserId): Problems => ({ deleted }) => deleted ? [`the user ${id} was deleted`] : []

      const roles = (guildId: GuildId): Effect.Effect<ReadonlyMap<RoleId, Role>, StorageError> =>
        Effect.map(foundRoles.find(guildId), Option.getOrElse(() => new Map<RoleId, Role>()))

      return {
        user: (path, id) => account(path, id, "user", () => []),
        liveUser: (path, id) => account(path, id, "user", wasDeleted(id)),
        bot: (path, id) => account(path, id, "bot account", noBot(id)),
        liveBot: (path, id) =>
          account(path, id, "bot account", (status) => [...noBot(id)(status), ...wasDeleted(id)(status)]),
        prefetchUsers: foundUsers.prefetch,
        guild: (path, id) =>
          Effect.map(
            foundGuilds.find(id),
            (found) => Option.isSome(found) ? NONE : [{ path, reason: `there is no guild ${id}` }]
          ),
        channelOf: (path, id, guildId) =>
          Effect.map(foundChannels.find(id), (found) =>
            Option.isSome(found) && found.value.guildId === guildId
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
        forgetRoles: foundRoles.forget,
        forgetUser: foundUsers.forget,
        begin: Effect.sync(() => {
          foundUsers.forgetAll()
          foundGuilds.forgetAll()
          foundChannels.forgetAll()
          foundRoles.forgetAll()
        })
      }
    })
  )
}

/** Combines several checks. */
export const all = (checks: ReadonlyArray<Check>): Check =>
  Effect.reduce(
    checks,
    NONE,
    (problems, check) => Effect.map(check, (found) => found.length === 0 ? problems : [...problems, ...found])
  )

/** The check of an optional value. */
export const whenGiven = <A>(value: Option.Option<A>, check: (value: A) => Check): Check =>
  Option.match(value, { onNone: () => Effect.succeed(NONE), onSome: check })
