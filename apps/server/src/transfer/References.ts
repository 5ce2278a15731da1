import type { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { RoleId } from "@community-messaging/domain/guild/Role"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Array, Context, Effect, Layer, Option } from "effect"
import { failOnProblems, type InvalidRecord, type Problem } from "./InvalidRecord.ts"

type Check = Effect.Effect<ReadonlyArray<Problem>, StorageError>

const NONE: ReadonlyArray<Problem> = []

/** Checks that an object is found. */
export const exists = (path: string, name: string, find: Effect.Effect<Option.Option<unknown>, StorageError>): Check =>
  Effect.map(find, (found) => Option.isSome(found) ? NONE : [{ path, reason: `there is no ${name}` }])

/** The maximum number of cached objects of a kind. They take some megabytes. */
const MAX_OBJECTS = 10_000

/** Looks objects up by key, and caches those that exist. */
const caching = <Key, Value, E>(lookUp: (key: Key) => Effect.Effect<Option.Option<Value>, E>) => {
  const known = new Map<Key, Option.Option<Value>>()
  const remember = (key: Key, found: Option.Option<Value>): Option.Option<Value> => {
    if (Option.isNone(found)) return found
    if (known.size >= MAX_OBJECTS) known.clear()
    known.set(key, found)
    return found
  }
  const find = (key: Key): Effect.Effect<Option.Option<Value>, E> => {
    const found = known.get(key)
    return found === undefined ? Effect.map(lookUp(key), (answer) => remember(key, answer)) : Effect.succeed(found)
  }
  return { find, known, remember }
}

/**
 * Checks whether the objects that a record refers to exist. There is one instance per import. It caches found objects until
 * the transaction ends, because nearby lines refer to the same objects.
 */
export class References extends Context.Tag("@community-messaging/server/References")<References, {
  /** The account must exist, be a bot with `bot`, and not be deleted with `live`: some records outlive their account. */
  readonly user: (path: string, id: UserId, required?: { readonly bot?: boolean; readonly live?: boolean }) => Check
  /** Looks up several accounts at once, to which records refer. */
  readonly prefetchUsers: (ids: ReadonlyArray<UserId>) => Effect.Effect<void, StorageError>
  readonly guild: (path: string, id: GuildId) => Check
  /** The channel must exist and belong to the guild. */
  readonly channelOf: (path: string, id: ChannelId, guildId: GuildId) => Check
  /** The roles must exist and belong to the guild. */
  readonly rolesOf: (path: string, ids: ReadonlyArray<RoleId>, guildId: GuildId) => Check
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
      const foundUsers = caching(users.findStatus)
      const foundGuilds = caching(guilds.find)
      const foundChannels = caching(guilds.findChannel)
      const foundRoles = caching((guildId: GuildId) =>
        Effect.map(guilds.roles(guildId), (roles) => Option.some(new Set(roles.map(({ id }) => id))))
      )

      return {
        user: (path, id, { bot = false, live = false } = {}) =>
          Effect.map(foundUsers.find(id), (found) => {
            if (Option.isNone(found) || (bot && !found.value.bot)) {
              return [{ path, reason: `there is no ${bot ? "bot account" : "user"} ${id}` }]
            }
            return live && found.value.deleted ? [{ path, reason: `the user ${id} was deleted` }] : NONE
          }),
        prefetchUsers: (ids) =>
          Effect.map(users.findStatuses(Array.dedupe(ids.filter((id) => !foundUsers.known.has(id)))), (found) => {
            for (const [id, status] of found) foundUsers.remember(id, Option.some(status))
          }),
        guild: (path, id) => exists(path, `guild ${id}`, foundGuilds.find(id)),
        channelOf: (path, id, guildId) =>
          Effect.map(foundChannels.find(id), (found) =>
            Option.isSome(found) && found.value.guildId === guildId
              ? NONE
              : [{ path, reason: `there is no channel ${id} in the guild ${guildId}` }]),
        rolesOf: (path, ids, guildId) =>
          ids.length === 0 ?
            Effect.succeed(NONE) :
            Effect.map(foundRoles.find(guildId), (roles) =>
              ids.flatMap((id, index) =>
                Option.exists(roles, (known) =>
                    known.has(id))
                  ? []
                  : [{ path: `${path}.${index}`, reason: `there is no role ${id} in the guild ${guildId}` }]
              )),
        forgetRoles: (guildId) => foundRoles.known.delete(guildId),
        forgetUser: (id) => foundUsers.known.delete(id),
        begin: Effect.sync(() => {
          for (const { known } of [foundUsers, foundGuilds, foundChannels, foundRoles]) known.clear()
        })
      }
    })
  )
}

/** Fails with the problems of all checks. */
export const requireAll = (checks: ReadonlyArray<Check>): Effect.Effect<void, InvalidRecord | StorageError> =>
  Effect.flatMap(Effect.all(checks), (problems) => failOnProblems(problems.flat()))

/** The check of an optional value. */
export const whenGiven = <A>(value: Option.Option<A>, check: (value: A) => Check): Check =>
  Option.match(value, { onNone: () => Effect.succeed(NONE), onSome: check })
