import { Accounts } from "@community-messaging/domain/account/Accounts"
import { isDeleted, isPendingDeletion, type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { COMMAND_LINE } from "@community-messaging/domain/audit/AuditRecord"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { Effect, Option, Stream } from "effect"
import { pages } from "../transfer/RecordKind.ts"
import * as DemoCommunity from "./DemoCommunity.ts"

/** Returns the id of the bot that calls the service. A deleted bot is replaced; a scheduled deletion of it is cancelled. */
export const bot = (ids: DemoCommunity.DemoIds) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    const guilds = yield* GuildRepository
    const snowflakes = yield* SnowflakeGenerator
    const users = yield* UserRepository
    const roles = (yield* guilds.roles(GuildId.make(ids.guild))).filter(({ name }) =>
      name === DemoCommunity.BOT_ROLE_NAME
    )
    const found = yield* Effect.forEach(roles.flatMap(({ managedBy }) => Option.toArray(managedBy)), users.find)
    const known = found.flatMap(Option.toArray).find((user) => !isDeleted(user))
    if (known === undefined) {
      const id = UserId.make(yield* snowflakes.next)
      yield* DemoCommunity.save(DemoCommunity.bot({ ...ids, bot: id, botRole: yield* snowflakes.next }))
      return id
    }
    if (isPendingDeletion(known)) {
      yield* accounts.cancelDeletion({ userId: known.id, actor: COMMAND_LINE })
    }
    return known.id
  }).pipe(
    Effect.catchTags({ NoDeletionScheduled: (error) => Effect.die(error), UnknownUser: (error) => Effect.die(error) })
  )

/** Returns the id of an account that may be deleted in the demo: the previous one, or another if that one is deleted. */
export const userToDelete = (ids: DemoCommunity.DemoIds, before: Option.Option<UserId>) =>
  Effect.gen(function*() {
    const snowflakes = yield* SnowflakeGenerator
    const users = yield* UserRepository
    const mayBeDeleted = (user: User) => !isDeleted(user) && !user.bot && !user.system && user.id !== ids.owner
    const previous = Stream.mapEffect(Stream.fromIterable(Option.toArray(before)), users.find)
    const next = yield* Stream.concat(
      Stream.mapConcat(previous, Option.toArray),
      pages(users.list, ({ id }) => id)
    ).pipe(Stream.filter(mayBeDeleted), Stream.runHead)
    if (Option.isSome(next)) return next.value.id
    const id = UserId.make(yield* snowflakes.next)
    yield* DemoCommunity.save([{ kind: "user", id, username: "newcomer", global_name: "Newcomer" }])
    return id
  })
