import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Message, MessageAuthor, MessageId } from "@community-messaging/domain/message/Message"
import { MessageCreated } from "@community-messaging/domain/message/MessageEvents"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { Array, Effect, Option, Schema, Stream } from "effect"
import { channels } from "./ChannelRecord.ts"
import { failOnProblems, invalid } from "./InvalidRecord.ts"
import { PayloadRecord } from "./PayloadRecord.ts"
import { Moment, named, optional } from "./RecordField.ts"
import * as RecordKind from "./RecordKind.ts"
import * as References from "./References.ts"

const Author = Schema.transform(
  Schema.Union(
    Schema.Struct({ type: Schema.Literal("user"), userId: named("user_id", UserId) }),
    Schema.Struct({
      type: Schema.Literal("webhook"),
      webhookId: named("webhook_id", WebhookId),
      name: Schema.String,
      avatar: optional(Schema.String)
    })
  ),
  Schema.typeSchema(MessageAuthor),
  {
    strict: true,
    decode: (author) =>
      author.type === "user"
        ? { _tag: "User" as const, userId: author.userId }
        : { _tag: "Webhook" as const, webhookId: author.webhookId, name: author.name, avatar: author.avatar },
    encode: (author) =>
      author._tag === "User"
        ? { type: "user" as const, userId: author.userId }
        : { type: "webhook" as const, webhookId: author.webhookId, name: author.name, avatar: author.avatar }
  }
)

/** The record of a posted message. */
export const MessageRecord = Schema.Struct({
  id: MessageId,
  channelId: named("channel_id", ChannelId),
  guildId: named("guild_id", GuildId),
  author: Author,
  payload: PayloadRecord,
  createdAt: named("created_at", Moment)
})

const same = Schema.equivalence(Message)

const keep = (message: Message, stored: Map<MessageId, Message>) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    const events = yield* EventLog
    const references = yield* References.References
    const { author } = message
    yield* failOnProblems(
      yield* References.all([
        references.channelOf("channel_id", message.channelId, message.guildId),
        ...author._tag === "User" ? [references.user("author.user_id", author.userId)] : []
      ])
    )
    const existing = Option.fromNullable(stored.get(message.id))
    if (Option.exists(existing, (there) => !same(there, message))) {
      return yield* invalid("id", "a different message with this id exists")
    }
    return yield* RecordKind.outcome(existing, message, same, () =>
      Effect.zipRight(messages.insert(message), events.append(MessageCreated.of({ message }))).pipe(
        Effect.tap(() =>
          Effect.sync(() =>
            stored.set(message.id, message)
          )
        )
      ))
  })

const keepAll = (all: ReadonlyArray<Message>) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    const references = yield* References.References
    yield* references.prefetchUsers(
      Array.filterMap(all, ({ author }) => author._tag === "User" ? Option.some(author.userId) : Option.none())
    )
    const found = yield* messages.findAll(all.map(({ id }) => id))
    const stored = new Map(found.map((message) => [message.id, message]))
    return yield* RecordKind.oneByOne((message: Message) => keep(message, stored))(all)
  })

/** The record kind of messages, exported channel by channel, newest first. */
export const kind = RecordKind.make({
  kind: "message",
  schema: MessageRecord,
  keepAll,
  all: Stream.unwrap(
    Effect.map(MessageRepository, ({ inChannel }) =>
      Stream.flatMap(channels, (channel) =>
        RecordKind.pages(
          ({ after, limit }: { readonly after: Option.Option<MessageId>; readonly limit: number }) =>
            inChannel({ channelId: channel.id, before: after, limit }),
          (message) => message.id
        )))
  )
})
