import * as DeletionSchedule from "@community-messaging/domain/account/DeletionSchedule"
import * as Users from "@community-messaging/domain/account/User"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Array as Arrays, DateTime, Duration, Effect, Either, Option } from "effect"

/** The guild in which messages are due. */
export const GUILD = GuildId.make("10")

/** The channel in which messages are due. */
export const CHANNEL = ChannelId.make("11")

/** The account that scheduled all messages. */
export const AUTHOR = UserId.make("12")

/** The content of the message with this number. */
export const contentOf = (number: number): string => `message ${number}`

/** The moment at which that share of the time has passed, in whole milliseconds, as stored. */
const after = (start: DateTime.Utc, within: Duration.Duration, share: number): DateTime.Utc =>
  DateTime.add(start, { millis: Math.floor(Duration.toMillis(within) * share) })

/** A community in which half of the messages were due an hour ago and the others become due within a second or that time. */
export const seedMessages = (count: number, within: Duration.Duration = Duration.seconds(1)) =>
  Effect.gen(function*() {
    const { save: saveUser } = yield* UserRepository
    const guilds = yield* GuildRepository
    const { save: saveMembership } = yield* MembershipRepository
    const scheduled = yield* ScheduledMessageRepository
    const { atomically } = yield* UnitOfWork
    const now = yield* DateTime.now
    yield* atomically(Effect.gen(function*() {
      yield* saveUser(Users.create({ id: AUTHOR, username: "author", bot: true }))
      yield* guilds.save({ id: GUILD, name: "guild", ownerId: AUTHOR })
      yield* guilds.saveChannel({ id: CHANNEL, guildId: GUILD, name: "general" })
      yield* saveMembership(Membership.make({ guildId: GUILD, userId: AUTHOR, roleIds: [], joinedAt: 0 }))
      yield* Effect.forEach(Arrays.range(1, count), (number) =>
        scheduled.insert(ScheduledMessage.make({
          id: ScheduledMessageId.make(String(1000 + number)),
          authorId: AUTHOR,
          channelId: CHANNEL,
          scheduledAt: number % 2 === 0
            ? DateTime.subtract(now, { hours: 1 })
            : after(now, within, number / count),
          scheduledLocalAt: LocalDateTime.make("2027-01-01T00:00:00"),
          timezone: TimeZoneName.make("UTC"),
          status: "scheduled",
          payload: MessagePayload.make({ content: Option.some(contentOf(number)) }),
          createdAt: now
        })))
    }))
  })

/** The account of the deletion with this number. */
export const leavingAccount = (number: number): UserId => UserId.make(String(100_000 + number))

/** Accounts with deletions that were due yesterday, or are due within that time. */
export const seedDeletions = (count: number, within?: Duration.Duration) =>
  Effect.gen(function*() {
    const { save } = yield* UserRepository
    const { atomically } = yield* UnitOfWork
    const now = yield* DateTime.now
    yield* atomically(Effect.forEach(Arrays.range(1, count), (number) =>
      save(Either.getOrThrow(DeletionSchedule.schedule(
        Users.create({ id: leavingAccount(number), username: `leaving_${number}` }),
        {
          reasonCode: Users.DeletionReasonCode.make(1),
          publicReason: Option.none(),
          daysUntilDeletion: DeletionSchedule.DaysUntilDeletion.make(1)
        },
        within === undefined
          ? DateTime.subtract(now, { days: 2 })
          : DateTime.subtract(after(now, within, number / count), { days: 1 })
      )))))
  })

/** The contents of all posted messages. */
export const posted = (limit: number) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    const all = yield* messages.inChannel({ channelId: CHANNEL, before: Option.none(), limit })
    return all.map(({ payload }) => Option.getOrElse(payload.content, () => "")).sort()
  })
