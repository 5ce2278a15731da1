import { COMMAND_LINE } from "@community-messaging/domain/audit/AuditRecord"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { createdAt, SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { UnknownWebhook, type Webhook, WebhookNameFromText } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, DateTime, Effect, Option, Redacted } from "effect"
import * as CommandTree from "./CommandTree.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { idArgument, jsonFlag, option } from "./Flags.ts"
import * as Json from "./Json.ts"
import * as Page from "./Page.ts"
import { table } from "./Table.ts"

const webhookId = idArgument(WebhookId, "Id of the webhook, as `webhook list` shows it.")

/** Converts a webhook to JSON, without the digest of its token. */
const toJson = (webhook: Webhook) => ({
  id: webhook.id,
  guild_id: webhook.guildId,
  channel_id: webhook.channelId,
  name: webhook.name,
  avatar: Option.getOrNull(webhook.avatar)
})

/** Prints the path with the token alone to the standard output, so that it can be piped. */
const printToken = (
  { token, webhook }: { readonly webhook: Webhook; readonly token: Redacted.Redacted },
  { explanation, json }: { readonly explanation: string; readonly json: boolean }
) =>
  json
    ? Json.print({ ...toJson(webhook), token: Redacted.value(token) })
    : Effect.zipRight(
      Console.error(`${explanation} This is its path, with its token. It cannot be shown again:`),
      Console.log(`/v1/webhooks/${webhook.id}/${Redacted.value(token)}`)
    )

const create = DataCommand.onExisting("create", {
  channel: option("channel", ChannelId, "Id of the channel to post in."),
  name: option("name", WebhookNameFromText, "Name of the webhook in its messages, 1 to 80 characters."),
  json: jsonFlag
}, ({ channel, json, name }) =>
  Effect.gen(function*() {
    const webhooks = yield* Webhooks
    const created = yield* webhooks.create({ channelId: channel, name }, COMMAND_LINE)
    yield* printToken(created, { explanation: `Created webhook ${created.webhook.id}.`, json })
  })).pipe(Command.withDescription("Create a webhook for a channel. Its token is printed once."))

const list = DataCommand.onExisting("list", {
  guild: Options.optional(option("guild", GuildId, "Only the webhooks of this guild.")),
  channel: Options.optional(option("channel", ChannelId, "Only the webhooks of this channel.")),
  ...Page.ascending(WebhookId),
  json: jsonFlag
}, ({ after, channel, guild, json, limit }) =>
  Effect.gen(function*() {
    if (Option.isSome(guild) && Option.isSome(channel)) {
      return yield* new CommandFailed({ message: "--guild and --channel exclude each other" })
    }
    const webhooks = yield* WebhookRepository
    const page = yield* Page.read(limit, (size) =>
      webhooks.list({
        after,
        limit: size,
        ...(Option.isSome(guild) && { within: { guildId: guild.value } }),
        ...(Option.isSome(channel) && { within: { channelId: channel.value } })
      }))
    yield* Page.print(page, {
      json,
      toJson,
      columns: ["ID", "NAME", "GUILD", "CHANNEL"],
      row: ({ channelId, guildId, id, name }) => [id, name, guildId, channelId],
      empty: "There is no such webhook."
    })
  })).pipe(Command.withDescription("List webhooks, without their tokens."))

const show = DataCommand.onExisting(
  "show",
  { id: webhookId, json: jsonFlag },
  ({ id, json }) =>
    Effect.gen(function*() {
      const webhooks = yield* WebhookRepository
      const found = Option.getOrUndefined(yield* webhooks.find(id))
      if (found === undefined) return yield* new UnknownWebhook({ webhookId: id })
      const created = DateTime.formatIso(createdAt(found.id, yield* SnowflakeEpoch))
      if (json) return yield* Json.print({ ...toJson(found), created_at: created })
      yield* Console.log(table([
        ["id", found.id],
        ["name", found.name],
        ["guild", found.guildId],
        ["channel", found.channelId],
        ["avatar", Option.getOrElse(found.avatar, () => "none")],
        ["created", created]
      ]))
    })
).pipe(Command.withDescription("Show a webhook, without its token."))

const rotate = DataCommand.onExisting(
  "rotate",
  { id: webhookId, json: jsonFlag },
  ({ id, json }) =>
    Effect.gen(function*() {
      const webhooks = yield* Webhooks
      const rotated = yield* webhooks.rotateToken(id, COMMAND_LINE)
      yield* printToken(rotated, {
        explanation: `Webhook ${id} has a new token. A running server rejects the old one from now on.`,
        json
      })
    })
).pipe(Command.withDescription("Replace the token of a webhook. The new one is printed once; the old one stops."))

const remove = DataCommand.onExisting(
  "delete",
  { id: webhookId, json: jsonFlag },
  ({ id, json }) =>
    Effect.gen(function*() {
      const webhooks = yield* Webhooks
      const removed = yield* webhooks.remove(id, COMMAND_LINE)
      yield* json
        ? Json.print(toJson(removed))
        : Console.error(
          `Webhook ${id} is deleted. A running server rejects its token from now on. Its messages stay.`
        )
    })
).pipe(Command.withDescription("Delete a webhook permanently. The messages that it posted stay."))

/** The commands `webhook create`, `list`, `show`, `rotate` and `delete`. */
export const command = Command.make("webhook").pipe(
  Command.withDescription("Create, list, show and delete webhooks, and replace their tokens."),
  CommandTree.withSubcommands([
    create,
    list,
    show,
    rotate,
    remove
  ])
)
