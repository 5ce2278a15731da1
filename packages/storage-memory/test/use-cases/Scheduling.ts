import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import {
  LocalDateTime,
  ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { DateTime, Effect, Option } from "effect"
import { account, channel, guild } from "./Stored.ts"
import { START } from "./World.ts"

/** The author of the messages in these tests, owner of a guild with one channel. */
export const ANN = UserId.make("2")
export const GUILD = GuildId.make("1000")
export const CHANNEL = ChannelId.make("500")

/** Keeps Ann with her guild and its channel. */
export const community = Effect.gen(function*() {
  yield* account(ANN)
  yield* guild(GUILD, ANN)
  yield* channel(CHANNEL, GUILD)
})

/** A payload that says just that. */
export const saying = (content: string) => MessagePayload.make({ content: Option.some(content) })

/** What these tests schedule, unless told otherwise: for an hour after the start, at 14:00 in Berlin. */
export const AN_HOUR_AHEAD: Schedule = {
  channelId: CHANNEL,
  scheduledLocalAt: LocalDateTime.make("2027-03-01T14:00:00"),
  timezone: TimeZoneName.make("Europe/Berlin"),
  payload: saying("Good afternoon")
}

/** Ann schedules a message. */
export const schedule = (fields: Partial<Schedule> = {}) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.schedule(ANN, { ...AN_HOUR_AHEAD, ...fields }))

/** Keeps a message of Ann's as it is, in whatever status. */
export const keep = (id: string, fields: Partial<ScheduledMessage> = {}) =>
  Effect.gen(function*() {
    const message: ScheduledMessage = {
      ...ScheduledMessage.make({
        ...AN_HOUR_AHEAD,
        id: ScheduledMessageId.make(id),
        authorId: ANN,
        scheduledAt: DateTime.add(START, { hours: 1 }),
        status: "scheduled",
        createdAt: START
      }),
      ...fields
    }
    yield* Effect.flatMap(ScheduledMessageRepository, (messages) => messages.insert(message))
    return message
  })

/** The message as it is stored. */
export const stored = (id: ScheduledMessageId) =>
  Effect.flatten(Effect.flatMap(ScheduledMessageRepository, (messages) => messages.find(id)))
