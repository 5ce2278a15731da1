import { Message, MessageAuthor, type MessageId } from "@community-messaging/domain/message/Message"
import { MessageCreated } from "@community-messaging/domain/message/MessageEvents"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Moment } from "@community-messaging/domain/shared-kernel/Moment"
import { MessagePayloadInput } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { Array, Effect, Option, Schema, Stream } from "effect"
import { channels } from "./ChannelRecord.ts"
import { invalid } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

const [UserAuthor, WebhookAuthor] = MessageAuthor.members

const Author = RecordSchema.make(Schema.Union(
  Schema.Struct({ ...UserAuthor.fields, _tag: RecordSchema.type("user", "User") }),
  Schema.Struct({ ...WebhookAuthor.fields, _tag: RecordSchema.type("webhook", "Webhook") })
))

/** The record of a posted message. */
export const MessageRecord = RecordSchema.make(
  Schema.Struct({ ...Message.fields, author: Author, payload: MessagePayloadInput, createdAt: Moment })
)

const same = Schema.equivalence(Message)

const save = (message: Message, stored: Map<MessageId, Message>) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    const events = yield* EventLog
    const references = yield* References.References
    const { author } = message
    yield* References.requireAll([
      references.channelOf("channel_id", message.channelId, message.guildId),
      ...author._tag === "User" ? [references.user("author.user_id", author.userId)] : []
    ])
    const existing = Option.fromNullable(stored.get(message.id))
    if (Option.exists(existing, (there) => !same(there, message))) {
      return yield* invalid("id", "a different message with this id exists")
    }
    return yield* RecordKind.outcome(existing, message, same, () =>
      Effect.gen(function*() {
        yield* messages.insert(message)
        yield* events.append(MessageCreated.of({ message }))
        stored.set(message.id, message)
      }))
  })

const saveAll = (all: ReadonlyArray<Message>) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    const references = yield* References.References
    yield* references.prefetchUsers(
      Array.filterMap(all, ({ author }) => author._tag === "User" ? Option.some(author.userId) : Option.none())
    )
    const found = yield* messages.findAll(all.map(({ id }) => id))
    const stored = new Map(found.map((message) => [message.id, message]))
    return yield* RecordKind.oneByOne((message: Message) => save(message, stored))(all)
  })

/** The record kind of messages, exported channel by channel, newest first. */
export const kind = RecordKind.make({
  kind: "message",
  schema: MessageRecord,
  saveAll,
  all: Effect.map(MessageRepository, ({ inChannel }) =>
    Stream.flatMap(channels, (channel) =>
      RecordKind.pages(
        ({ after, limit }: { readonly after: Option.Option<MessageId>; readonly limit: number }) =>
          inChannel({ channelId: channel.id, before: after, limit }),
        ({ id }) => id
      )))
})
