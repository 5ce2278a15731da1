import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect } from "effect"
import { account, ACTOR, channel, guild } from "../Stored.ts"

export const CHANNEL = ChannelId.make("500")
export const GUILD = GuildId.make("1000")

/** The id of no webhook. */
export const NOWHERE = WebhookId.make("404")

/** Saves the channel and its guild. */
export const place = Effect.gen(function*() {
  const owner = yield* account("1")
  yield* guild(GUILD, owner.id)
  yield* channel(CHANNEL, GUILD)
})

/** Creates a webhook of the channel. */
export const create = Effect.flatMap(
  Webhooks,
  (webhooks) => webhooks.create({ channelId: CHANNEL, name: WebhookName.make("Builds") }, ACTOR)
)

/** A webhook in a channel. Its earlier events and audit records do not matter. */
export const made = Effect.zipRight(place, create)
