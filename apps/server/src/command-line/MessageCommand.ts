import { UserId } from "@community-messaging/domain/account/User"
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
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, DateTime, Effect, Option } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { jsonFlag, parse } from "./Flags.ts"
import * as Json from "./Json.ts"
import { oneOf } from "./OneOf.ts"
import * as PostedMessages from "./PostedMessages.ts"
import { table } from "./Table.ts"

const Status = oneOf(ScheduledMessageStatus)

const authorOption = Options.text("author").pipe(Options.withDescription("Id of the author's account."))

const print = (message: ScheduledMessage, json: boolean) =>
  json
    ? Json.print(ScheduledMessageResource.fromEntity(message))
    : Console.log(`${message.id}  ${message.status}  ${DateTime.formatIso(message.scheduledAt)}`)

const schedule = DataCommand.onExisting("schedule", {
  author: authorOption,
  channel: Options.text("channel").pipe(Options.withDescription("Id of the channel to post in.")),
  at: Options.text("at").pipe(Options.withDescription("Local date and time, such as 2027-03-28T09:30.")),
  timezone: Options.text("timezone").pipe(
    Options.withDescription("IANA name of the time zone of --at. Default: UTC."),
    Options.withDefault("UTC")
  ),
  content: Options.text("content").pipe(Options.withDescription("Content of the message.")),
  json: jsonFlag
}, ({ at, author, channel, content, json, timezone }) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessages
    const scheduled = yield* messages.schedule(yield* parse("--author", UserId, author), {
      channelId: yield* parse("--channel", ChannelId, channel),
      scheduledLocalAt: yield* parse("--at", LocalDateTime, at),
      timezone: yield* parse("--timezone", TimeZoneName, timezone),
      payload: MessagePayload.make({ content: Option.some(content) })
    })
    yield* print(scheduled, json)
  }).pipe(
    Effect.catchTags({
      ScheduledTimeOutOfRange: () => new CommandFailed({ reason: "--at must be in the future, by at most 365 days" }),
      UndeliverableMessage: ({ reason }) => new CommandFailed({ reason: `the message cannot be posted: ${reason}` }),
      TooManyScheduledMessages: ({ maximum }) =>
        new CommandFailed({ reason: `the author already has ${maximum} undelivered messages` })
    })
  )).pipe(Command.withDescription("Schedule a message. A running server posts it when it is due."))

const cancel = DataCommand.onExisting("cancel", {
  id: Args.text({ name: "ID" }).pipe(Args.withDescription("Id of the scheduled message.")),
  author: authorOption,
  json: jsonFlag
}, ({ author, id, json }) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessages
    yield* print(
      yield* messages.cancel(
        yield* parse("--author", UserId, author),
        yield* parse("ID", ScheduledMessageId, id)
      ),
      json
    )
  }).pipe(
    Effect.catchTags({
      UnknownScheduledMessage: () => new CommandFailed({ reason: `the author has no scheduled message ${id}` }),
      IllegalScheduledMessageTransition: ({ from }) =>
        new CommandFailed({ reason: `the message ${id} is ${from} and cannot be cancelled` }),
      ScheduledMessageConflict: () =>
        new CommandFailed({ reason: `the message ${id} was changed at the same time: try again` })
    })
  )).pipe(Command.withDescription("Cancel a scheduled message that is not delivered yet."))

const scheduled = DataCommand.onExisting("scheduled", {
  author: authorOption,
  statuses: Options.text("status").pipe(
    Options.withDescription(`Only those in that status, repeatable: ${ScheduledMessageStatus.literals.join(", ")}.`),
    Options.repeated
  ),
  json: jsonFlag
}, ({ author, json, statuses }) =>
  Effect.gen(function*() {
    const messages = yield* ScheduledMessages
    const found = yield* messages.list(
      yield* parse("--author", UserId, author),
      yield* Effect.forEach(statuses, (status) => parse("--status", Status, status))
    )
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

/** The commands `message list`, `message schedule`, `message scheduled` and `message cancel`. */
export const command = Command.make("message").pipe(
  Command.withDescription("Show posted messages; schedule messages, list and cancel them."),
  CommandTree.withSubcommands([
    PostedMessages.list,
    schedule,
    scheduled,
    cancel
  ])
)
