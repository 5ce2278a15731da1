import { Context, type Effect, type Option } from "effect"
import type { ChannelId } from "../guild/Channel.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Message, MessageId } from "./Message.ts"

/** Port: stores posted messages. */
export class MessageRepository extends Context.Tag("@community-messaging/domain/MessageRepository")<MessageRepository, {
  /** Inserts a message. Its channel must exist. */
  readonly insert: (message: Message) => Effect.Effect<void, StorageError>
  /** Returns the messages with these ids, each once, in any order. Messages that do not exist are left out. */
  readonly findAll: (ids: ReadonlyArray<MessageId>) => Effect.Effect<ReadonlyArray<Message>, StorageError>
  /** Returns the channel's messages, newest first, starting before `before`. */
  readonly inChannel: (options: {
    readonly channelId: ChannelId
    readonly before: Option.Option<MessageId>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Message>, StorageError>
}>() {}
