import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { type Message, MessageId } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { UnknownChannel } from "@community-messaging/domain/webhook/Webhooks"
import * as MessageResource from "@community-messaging/http-adapter/operations/MessageResource"
import * as Command from "@effect/cli/Command"
import { Console, Effect, Option } from "effect"
import * as DataCommand from "./DataCommand.ts"
import { jsonFlag, option } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as MessageText from "./MessageText.ts"
import * as Page from "./Page.ts"

/** The usernames of the accounts among the authors, by id. */
const usernamesOf = (messages: ReadonlyArray<Message>) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const found = yield* users.findAll(
      messages.flatMap(({ author }) => author._tag === "User" ? [author.userId] : [])
    )
    return new Map(found.map(({ id, username }) => [id, username]))
  })

/** The command `message list`. */
export const list = DataCommand.onExisting("list", {
  channel: option("channel", ChannelId, "Id of the channel."),
  ...Page.newest(MessageId),
  json: jsonFlag
}, ({ before, channel, json, limit }) =>
  Effect.gen(function*() {
    const [guilds, messages] = yield* Effect.all([GuildRepository, MessageRepository])
    const { entries, more } = yield* Page.read(
      limit,
      (size) => messages.inChannel({ channelId: channel, before, limit: size })
    )
    // Messages outlive their channel, so a deleted channel with messages is not unknown.
    if (entries.length === 0 && Option.isNone(yield* guilds.findChannel(channel))) {
      return yield* new UnknownChannel({ channelId: channel })
    }
    const oldestFirst = entries.toReversed()
    if (json) yield* Json.print(oldestFirst.map(MessageResource.fromEntity))
    else if (entries.length === 0) yield* Console.error("There is no such message.")
    else {
      const usernames = yield* usernamesOf(entries)
      yield* Console.log(oldestFirst.map((message) => MessageText.render(message, usernames)).join("\n\n"))
    }
    const [oldest] = oldestFirst
    if (more && oldest !== undefined) yield* Console.error(`There are older ones: add --before ${oldest.id}`)
  })).pipe(
    Command.withDescription("Show the messages that were posted in a channel, the newest last.")
  )
