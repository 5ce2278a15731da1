import { Accounts } from "@community-messaging/domain/account/Accounts"
import { create, isDeleted, isPendingDeletion, type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MemberJoined } from "@community-messaging/domain/guild/MemberEvents"
import { JOIN_SOURCE_TYPE } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { DateTime, Effect, Option, Stream } from "effect"
import { pages } from "../transfer/RecordKind.ts"
import { BOT_PERMISSIONS, BOT_ROLE_NAME } from "./DemoCommunity.ts"

const join = (guildId: GuildId, user: User, roleIds: ReadonlyArray<RoleId>) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const memberships = yield* MembershipRepository
    const events = yield* EventLog
    yield* users.save(user)
    yield* memberships.save({
      guildId,
      userId: user.id,
      nickname: Option.none(),
      roleIds,
      joinedAt: Math.floor((yield* DateTime.now).epochMillis / 1000),
      joinSourceType: Option.some(JOIN_SOURCE_TYPE.addedByAdministrator),
      sourceInviteCode: Option.none(),
      inviterId: Option.none()
    })
    yield* events.append(MemberJoined.of({ guildId, userId: user.id }))
    return user
  }).pipe(Effect.catchTag("EmailAlreadyInUse", (error) => Effect.die(error)))

/** Returns the accounts that are not deleted. */
const findUndeleted = (ids: ReadonlyArray<UserId>) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const found = yield* Effect.forEach(ids, users.find)
    return found.flatMap(Option.toArray).filter((user) => !isDeleted(user))
  })

/** The bot that calls the service. A deleted bot is replaced; one that is scheduled for deletion stays. */
export const bot = (guildId: GuildId) =>
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const accounts = yield* Accounts
    const snowflakes = yield* SnowflakeGenerator
    const roles = (yield* guilds.roles(guildId)).filter(({ name }) => name === BOT_ROLE_NAME)
    const [known] = yield* findUndeleted(roles.flatMap(({ managedBy }) => Option.toArray(managedBy)))
    if (known !== undefined) {
      return isPendingDeletion(known)
        ? yield* accounts.cancelDeletion({ userId: known.id, actor: { _tag: "CommandLine" } })
        : known
    }
    const user = create({ id: UserId.make(yield* snowflakes.next), username: "concierge", bot: true })
    const roleId = RoleId.make(yield* snowflakes.next)
    const joined = yield* join(guildId, user, [roleId])
    yield* guilds.saveRole({
      id: roleId,
      guildId,
      name: BOT_ROLE_NAME,
      permissions: Permissions.make(BOT_PERMISSIONS),
      managedBy: Option.some(user.id)
    })
    return joined
  }).pipe(
    Effect.catchTags({ NoDeletionScheduled: (error) => Effect.die(error), UnknownUser: (error) => Effect.die(error) })
  )

/** An account that may be deleted in the demo: the previous one, or another member if that one is deleted. */
export const userToDelete = (guildId: GuildId, before: Option.Option<UserId>) =>
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const snowflakes = yield* SnowflakeGenerator
    const [same] = yield* findUndeleted(Option.toArray(before))
    if (same !== undefined) return same
    const guild = yield* guilds.find(guildId)
    const next = yield* pages(
      (options: { readonly after: Option.Option<UserId>; readonly limit: number }) =>
        memberships.list({ guildId, ...options }),
      ({ userId }) => userId
    ).pipe(
      Stream.filter(({ userId }) => !Option.exists(guild, ({ ownerId }) => ownerId === userId)),
      Stream.mapEffect(({ userId }) => findUndeleted([userId])),
      Stream.mapConcat((users) => users),
      Stream.filter((user) => !user.bot && !user.system),
      Stream.runHead
    )
    if (Option.isSome(next)) return next.value
    const id = UserId.make(yield* snowflakes.next)
    return yield* join(guildId, create({ id, username: "newcomer", globalName: "Newcomer" }), [])
  })
