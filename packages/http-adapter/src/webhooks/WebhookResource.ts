import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Option, Schema } from "effect"
import { field, nullable, Snowflake } from "../wire/WireType.ts"

/** A webhook, for callers that have its token. Source: API reference, Webhook. */
export const WebhookResource = Schema.Struct({
  id: field(Snowflake, "Identifies the webhook."),
  guild_id: field(Snowflake, "The guild of the channel."),
  channel_id: field(Snowflake, "The channel that the webhook posts in."),
  name: field(Schema.String, "The display name."),
  token: field(Schema.String, "The secret token of the webhook."),
  avatar: field(nullable(Schema.String), "The hash of the avatar image; it begins with `a_` if the image is animated.")
}).annotations({ identifier: "Webhook", description: "A webhook." })
export interface WebhookResource extends Schema.Schema.Type<typeof WebhookResource> {}

/**
 * Converts a webhook to its resource. The token is the one that the caller presented, because only its digest is stored
 * (API gaps, Credentials).
 */
export const fromEntity = (webhook: Webhook, token: string): WebhookResource => ({
  id: webhook.id,
  guild_id: webhook.guildId,
  channel_id: webhook.channelId,
  name: webhook.name,
  token,
  avatar: Option.getOrNull(webhook.avatar)
})
