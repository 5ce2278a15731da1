import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { DaysUntilDeletion } from "@community-messaging/domain/account/DeletionSchedule"
import { DeletionReasonCode, User, type UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import type { Channel, ChannelId } from "@community-messaging/domain/guild/Channel"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { Message } from "@community-messaging/domain/message/Message"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import {
  LocalDateTime,
  ScheduledMessage,
  type ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { DateTime, type Duration, Effect, Option } from "effect"
import { plainData } from "../PlainData.ts"
import * as Samples from "../Samples.ts"
import * as Saved from "../Saved.ts"
import * as Time from "./Time.ts"
import { START } from "./World.ts"

/* The participants and the steps of these tests. */

/** The account joins the guild. */
export const join = (guildId: GuildId, userId: UserId) => Saved.membership({ guildId, userId })

/** An author who is in a guild with a channel. */
export interface Scene {
  readonly author: User
  readonly channel: Channel
}

/** Saves an author who is in a guild with a channel; the guild has another owner. */
export const scene = (author: Partial<User> = {}) =>
  Effect.gen(function*() {
    const owner = yield* Saved.user({ username: "owner" })
    const guild = yield* Saved.guild({ ownerId: owner.id })
    const channel = yield* Saved.channel({ guildId: guild.id })
    const user = yield* Saved.user(author)
    yield* join(guild.id, owner.id)
    yield* join(guild.id, user.id)
    const made: Scene = { author: user, channel }
    return made
  })

/** A payload with this content. */
export const saying = (content: string): MessagePayload => MessagePayload.make({ content: Option.some(content) })

/** The time as a local time in UTC, to the millisecond. */
export const inUtc = (at: DateTime.Utc): Pick<Schedule, "scheduledLocalAt" | "timezone"> => ({
  scheduledLocalAt: LocalDateTime.make(DateTime.formatIso(at).slice(0, "2027-03-01T12:00:00.000".length)),
  timezone: TimeZoneName.make("UTC")
})

/** The time this long after `START`. */
export const startPlus = (duration: Duration.DurationInput): DateTime.Utc => DateTime.addDuration(START, duration)

/** An hour after `START`: the time of a scheduled message by default. */
export const AN_HOUR_LATER = startPlus("1 hour")

/** A message for this channel: by default, a greeting an hour after the start. */
export const greeting = (channelId: ChannelId, changes: Partial<Schedule> = {}): Schedule => ({
  channelId,
  ...inUtc(AN_HOUR_LATER),
  payload: saying("Good afternoon"),
  ...changes
})

/** The author schedules a greeting. */
export const schedule = ({ author, channel }: Scene, changes: Partial<Schedule> = {}) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.schedule(author.id, greeting(channel.id, changes)))

/** The time of the scheduled greetings comes. */
export const untilDue = Time.setTime(AN_HOUR_LATER.epochMillis)

/** A message that is due. */
export const dueMessage = Effect.gen(function*() {
  const at = yield* scene()
  const message = yield* schedule(at)
  yield* untilDue
  return { ...at, message }
})

/** The result of a batch if nothing was due. */
export const NOTHING_DUE = { claimed: 0, done: 0, failed: 0 }

/** The result of a batch that handled one item. */
export const ONE_DONE = { claimed: 1, done: 1, failed: 0 }

/** Stores a message of the author without a use case, so that it can have any status. */
export const keep = ({ author, channel }: Scene, changes: Partial<ScheduledMessage> = {}) =>
  Effect.gen(function*() {
    const message = Samples.scheduledMessage({
      authorId: author.id,
      channelId: channel.id,
      scheduledAt: AN_HOUR_LATER,
      ...inUtc(AN_HOUR_LATER),
      createdAt: START,
      ...changes
    })
    yield* Effect.flatMap(ScheduledMessageRepository, (messages) => messages.insert(message))
    return message
  })

/** A scheduled message as plain data. */
export const plain = plainData(ScheduledMessage)

/** The message as it is stored. */
export const stored = (id: ScheduledMessageId) =>
  Effect.flatten(Effect.flatMap(ScheduledMessageRepository, (messages) => messages.find(id)))

/** An account as plain data. */
export const plainUser = plainData(User)

/** The account as it is stored. */
export const storedUser = (id: UserId) => Effect.flatten(Effect.flatMap(UserRepository, (users) => users.find(id)))

/** The messages that were posted in the channel, oldest first. */
export const posted = (channelId: ChannelId) =>
  Effect.map(
    Effect.flatMap(MessageRepository, (messages) =>
      messages.inChannel({ channelId, before: Option.none(), limit: 10_000 })),
    (found) =>
      found.toReversed()
  )

/** The contents of the messages that were posted in the channel, oldest first. */
export const contents = (channelId: ChannelId) =>
  Effect.map(posted(channelId), (found) => found.map(({ payload }) => Option.getOrElse(payload.content, () => "")))

/** A posted message as plain data. */
export const plainMessage = plainData(Message)

const plainEvent = plainData(DomainEvent)

/** All events, oldest first. */
export const allEvents = Effect.map(
  EventStream.read(0, 1_000_000),
  (found) => found.map(({ event }) => event)
)

/** The events that the effect appends, as plain data. */
export const eventsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = yield* allEvents
    yield* effect
    return (yield* allEvents).slice(before.length).map(plainEvent)
  })

/** The event of a message that changed to this status, as plain data. */
export const updated = ({ authorId, id }: ScheduledMessage, status: ScheduledMessage["status"]) => ({
  _tag: "scheduled_message.updated",
  version: 1,
  scheduledMessageId: id,
  authorId,
  status
})

/** Checks pending messages. Returns the counts. */
export const armPending = (limit = 100) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.armPending({ after: Option.none(), limit })).pipe(
    Effect.map(({ claimed, done, failed }) => ({ claimed, done, failed }))
  )

/** Posts due messages. */
export const dispatch = (limit = 100) => Effect.flatMap(ScheduledMessages, (messages) => messages.dispatchDue(limit))

/** Deletes due accounts. */
export const deleteDue = (limit = 100) => Effect.flatMap(DueDeletions, (accounts) => accounts.deleteDue(limit))

/** Removes messages that ended long ago. */
export const removeExpired = (limit = 100) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.removeExpired(limit))

const actor = { _tag: "CommandLine" } as const

/** Schedules the deletion of the account. */
export const scheduleDeletion = (userId: UserId, days = 30) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.scheduleDeletion({
      userId,
      reasonCode: DeletionReasonCode.make(1),
      publicReason: Option.some("Spam"),
      daysUntilDeletion: Option.some(DaysUntilDeletion.make(days)),
      actor
    }))

/** Cancels the deletion of the account. */
export const cancelDeletion = (userId: UserId) =>
  Effect.flatMap(Accounts, (accounts) => accounts.cancelDeletion({ userId, actor }))
