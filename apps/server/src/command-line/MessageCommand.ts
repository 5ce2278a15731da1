import { UnknownUser, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import {
  LocalDateTime,
  type ScheduledMessage,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import * as ScheduledMessageResource from "@community-messaging/http-adapter/scheduled-messages/ScheduledMessageResource"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, DateTime, Effect, Option } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { idArgument, jsonFlag, oneOf, option, repeatedOption } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as PostedMessages from "./PostedMessages.ts"
import { table } from "./Table.ts"

const authorOption = option("author", UserId, "Id of the author's account.")

const print = (message: ScheduledMessage, json: boolean) =>
  json
    ? Json.print(ScheduledMessageResource.fromEntity(message))
    : Console.log(`${message.id}  ${message.status}  ${DateTime.formatIso(message.scheduledAt)}`)

const schedule = DataCommand.onExisting("schedule", {
  author: authorOption,
  channel: option("channel", ChannelId, "Id of the channel to post in."),
  at: option("at", LocalDateTime, "Local date and time, such as 2027-03-28T09:30."),
  timezone: option("timezone", TimeZoneName, "IANA name of the time zone of --at. Default: UTC.").pipe(
    Options.withDefault(TimeZoneName.make("UTC"))
  ),
  content: Options.text("content").pipe(Options.withDescription("Content of the message.")),
  json: jsonFlag
}, ({ at, author, channel, content, json, timezone }) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessages
    const scheduled = yield* messages.schedule(author, {
      channelId: channel,
      scheduledLocalAt: at,
      timezone,
      payload: MessagePayload.make({ content: Option.some(content) })
    })
    yield* print(scheduled, json)
  })).pipe(Command.withDescription("Schedule a message. A running server posts it when it is due."))

const messageId = idArgument(ScheduledMessageId, "Id of the scheduled message.")

const edit = DataCommand.onExisting("edit", {
  id: messageId,
  author: authorOption,
  channel: Options.optional(option("channel", ChannelId, "Id of another channel.")),
  at: Options.optional(option("at", LocalDateTime, "Another local date and time, such as 2027-03-28T09:30.")),
  timezone: Options.optional(option("timezone", TimeZoneName, "IANA name of another time zone.")),
  content: Options.optional(Options.text("content").pipe(Options.withDescription("Another content."))),
  json: jsonFlag
}, ({ at, author, channel, content, id, json, timezone }) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessages
    const changes = {
      channelId: Option.getOrUndefined(channel),
      scheduledLocalAt: Option.getOrUndefined(at),
      timezone: Option.getOrUndefined(timezone),
      payload: Option.getOrUndefined(Option.map(content, () => MessagePayload.make({ content })))
    }
    yield* print(yield* messages.edit(author, id, changes), json)
  }).pipe(
    Effect.catchTag(
      "IllegalScheduledMessageTransition",
      ({ from }) => new CommandFailed({ message: `a scheduled message that is ${from} cannot be edited` })
    )
  )).pipe(
    Command.withDescription(
      "Edit a message that is not delivered yet. A failed one gets five more attempts: give it a new time."
    )
  )

const cancel = DataCommand.onExisting("cancel", {
  id: messageId,
  author: authorOption,
  json: jsonFlag
}, ({ author, id, json }) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessages
    yield* print(yield* messages.cancel(author, id), json)
  })).pipe(Command.withDescription("Cancel a scheduled message that is not delivered yet."))

const scheduled = DataCommand.onExisting("scheduled", {
  author: authorOption,
  statuses: repeatedOption("status", oneOf(ScheduledMessageStatus), {
    description: `Only those in that status, repeatable: ${ScheduledMessageStatus.literals.join(", ")}.`,
    minimum: 0
  }),
  json: jsonFlag
}, ({ author, json, statuses }) =>
  Effect.gen(function*() {
    const [messages, users] = yield* Effect.all([ScheduledMessages, UserRepository])
    const found = yield* messages.list(author, statuses)
    // A deleted account may have cancelled messages, so with messages it is not unknown.
    if (found.length === 0 && !Option.exists(yield* users.findStatus(author), ({ deleted }) => !deleted)) {
      return yield* new UnknownUser({ userId: author })
    }
    if (json) return yield* Json.print(found.map(ScheduledMessageResource.fromEntity))
    if (found.length === 0) return yield* Console.error("There is no such message.")
    yield* Console.log(table([
      ["ID", "STATUS", "AT", "CHANNEL", "REASON"],
      ...found.map((message) => [
        message.id,
        message.status,
        DateTime.formatIso(message.scheduledAt),
        message.channelId,
        Option.getOrElse(message.statusReason, () => "")
      ])
    ]))
  })).pipe(Command.withDescription("List the messages that an account scheduled, by default the undelivered ones."))

/** The commands `message list`, `message schedule`, `message scheduled`, `message edit` and `message cancel`. */
export const command = Command.make("message").pipe(
  Command.withDescription("Show posted messages; schedule messages, list, edit and cancel them."),
  CommandTree.withSubcommands([
    PostedMessages.list,
    schedule,
    scheduled,
    edit,
    cancel
  ])
)
