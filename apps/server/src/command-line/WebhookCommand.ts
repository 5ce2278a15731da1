import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { WebhookNameFromText } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Command, Options } from "@effect/cli"
import { Console, Effect, Redacted } from "effect"
import { storageFlags } from "../configuration/Configuration.ts"
import type { Composition } from "./Composition.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { jsonFlag, parse } from "./Flags.ts"

const create = (composition: Composition) =>
  Command.make("create", {
    channel: Options.text("channel").pipe(
      Options.withDescription("Id of the channel to post in.")
    ),
    name: Options.text("name").pipe(
      Options.withDescription("Name of the webhook in its messages, 1 to 80 characters.")
    ),
    json: jsonFlag,
    flags: storageFlags
  }, ({ channel, flags, json, name }) =>
    Effect.gen(function*() {
      const webhooks = yield* Webhooks
      const { token, webhook } = yield* webhooks.create({
        channelId: yield* parse("--channel", ChannelId, channel),
        name: yield* parse("--name", WebhookNameFromText, name)
      }, { _tag: "CommandLine" })
      const secret = Redacted.value(token)
      yield* json
        ? Console.log(JSON.stringify({
          id: webhook.id,
          guild_id: webhook.guildId,
          channel_id: webhook.channelId,
          name: webhook.name,
          avatar: null,
          token: secret
        }))
        : Effect.zipRight(
          Console.error(`Created webhook ${webhook.id}. This is its path, with its token. It cannot be shown again:`),
          Console.log(`/v1/webhooks/${webhook.id}/${secret}`)
        )
    }).pipe(
      Effect.catchTag("UnknownChannel", () => new CommandFailed({ reason: `there is no channel ${channel}` })),
      (command) => DataCommand.run(composition, flags, "existing", command)
    )).pipe(Command.withDescription("Create a webhook for a channel. Its token is printed once."))

/** The command `webhook create`. */
export const make = (composition: Composition) =>
  Command.make("webhook").pipe(
    Command.withDescription("Create webhooks."),
    Command.withSubcommands([create(composition)])
  )
