import { Message } from "@community-messaging/domain/message/Message"
import type { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Array, Either } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const insert = (message: Message) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.gen(function*() {
    const { channelId, id } = message
    yield* requireThat(!Table.has(tables.messages, id), "insert a message: its id is taken")
    yield* requireThat(Table.has(tables.channels, channelId), "insert a message: its channel does not exist")
    tables.messages = Table.set(tables.messages, id, message)
  })

const validMessage = requireValid(Message)

/** `MessageRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof MessageRepository.Service => ({
  insert: validMessage("insert a message", (message) => state.attempt(insert(message))),
  findAll: (ids) => state.read(({ messages }) => Array.filterMap(new Set(ids), (id) => Table.get(messages, id))),
  inChannel: ({ before, channelId, limit }) =>
    state.read(({ messages }) => Table.before(messages, before, limit, (message) => message.channelId === channelId))
})
