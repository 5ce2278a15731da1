import { isDeleted, UnknownUser, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MemberJoined } from "@community-messaging/domain/guild/MemberEvents"
import { join, JOIN_SOURCE_TYPE } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Message, MessageId } from "@community-messaging/domain/message/Message"
import { MessageCreated } from "@community-messaging/domain/message/MessageEvents"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"

/** The guild has no channel in which newcomers can be welcomed. */
export class NowhereToWelcome extends Schema.TaggedError<NowhereToWelcome>()("NowhereToWelcome", { userId: UserId }) {}

/** The account is a member of the guild already. */
export class AlreadyMember
  extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", { guildId: GuildId, userId: UserId })
{}

/** Admits members to a guild. */
export class Admissions extends Context.Tag("example/Admissions")<Admissions, {
  /** Adds the member and posts a welcome in the guild's first channel: both, or neither. */
  readonly admit: (
    guildId: GuildId,
    userId: UserId
  ) => Effect.Effect<Message, AlreadyMember | NowhereToWelcome | StorageError | UnknownUser>
}>() {
  static readonly layer = Layer.effect(
    Admissions,
    Effect.gen(function*() {
      const guilds = yield* GuildRepository
      const memberships = yield* MembershipRepository
      const messages = yield* MessageRepository
      const events = yield* EventLog
      const ids = yield* SnowflakeGenerator
      const users = yield* UserRepository
      const { atomically, lock } = yield* UnitOfWork
      return {
        admit: (guildId, userId) =>
          Effect.gen(function*() {
            // On PostgreSQL units run side by side: nobody deletes or admits the account until this one ends.
            yield* lock({ kind: "account", id: userId })
            const account = Option.filter(yield* users.find(userId), (found) => !isDeleted(found))
            if (Option.isNone(account)) return yield* new UnknownUser({ userId })
            if (Option.isSome(yield* memberships.find(guildId, userId))) {
              return yield* new AlreadyMember({ guildId, userId })
            }
            const now = yield* DateTime.now
            const joinSourceType = JOIN_SOURCE_TYPE.addedByAdministrator
            yield* memberships.save(join({ guildId, userId, joinSourceType, at: now }))
            const [channel] = yield* guilds.channels(guildId)
            // The membership was written, but a unit of work that fails leaves nothing.
            if (channel === undefined) return yield* new NowhereToWelcome({ userId })
            const welcome = Message.make({
              id: MessageId.make(yield* ids.next),
              channelId: ChannelId.make(channel.id),
              guildId,
              author: { _tag: "User", userId },
              payload: MessagePayload.make({ content: Option.some("has joined. Say hello!") }),
              createdAt: now
            })
            yield* messages.insert(welcome)
            yield* events.append(MemberJoined.of({ guildId, userId }))
            yield* events.append(MessageCreated.of({ message: welcome }))
            return welcome
          }).pipe(atomically)
      }
    })
  )
}
