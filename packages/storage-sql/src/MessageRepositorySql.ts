import { Message } from "@community-messaging/domain/message/Message"
import type { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { Option, Schema } from "effect"
import { column, Instant, json } from "./Column.ts"
import type { Database } from "./Database.ts"
import { inChunks } from "./InChunks.ts"
import { attempt } from "./SqlFailure.ts"
import { fragment } from "./Statements.ts"
import * as Table from "./Table.ts"

const MessageRow = Schema.Struct({
  id: Message.fields.id,
  channelId: column("channel_id", Message.fields.channelId),
  guildId: column("guild_id", Message.fields.guildId),
  author: json(Message.fields.author),
  payload: json(Message.fields.payload),
  createdAt: column("created_at", Instant)
})

/** `MessageRepository` in SQL. */
export const make = ({ send, sql, write }: typeof Database.Service): typeof MessageRepository.Service => {
  const messages = Table.make({ send, sql }, {
    name: "messages",
    row: MessageRow,
    snowflakes: ["id", "channel_id", "guild_id"]
  })
  return {
    insert: (message) => write(attempt("insert a message")(messages.insert(message))),
    findAll: (ids) => inChunks(ids, (among) => messages.all`WHERE id IN ${among}`).pipe(attempt("find messages")),
    inChannel: ({ before, channelId, limit }) => {
      const older = Option.match(before, {
        onNone: () => fragment``,
        onSome: (id) => fragment`AND id < ${id}`
      })
      return attempt("list a channel's messages")(messages.all`
        WHERE channel_id = ${channelId} ${older} ORDER BY messages.id DESC LIMIT ${limit}
      `)
    }
  }
}
